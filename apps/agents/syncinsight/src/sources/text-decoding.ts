/** A text, or why the bytes are none. */
export type DecodedText =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'not_text'; readonly reason: string }

/** Bytes at the start that are searched for NUL, which no text in an 8-bit encoding holds. */
const SNIFFED_BYTES = 8_192
const CHARSET_IN_HTML = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:-]{2,40})/i

/**
 * Decodes the bytes of a file or page. A byte order mark decides first, then `charset`, else it is UTF-8; bytes that do not keep
 * the encoding are no text, so that nothing is quoted that was never written.
 * @param charset - label as in a Content-Type header, e.g. `euc-kr`
 */
export function decodeText(bytes: Buffer, charset?: string): DecodedText {
  const label = charsetOfMark(bytes) ?? charset ?? 'utf-8'
  if (!/^utf-16/i.test(label) && bytes.subarray(0, SNIFFED_BYTES).includes(0)) {
    return { outcome: 'not_text', reason: 'a binary file' }
  }
  try {
    return { outcome: 'text', text: new TextDecoder(label, { fatal: true }).decode(bytes) }
  } catch (error) {
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_NOT_SUPPORTED'
    return { outcome: 'not_text', reason: isUnknown ? `in the unknown encoding ${label}` : `not text in ${label}` }
  }
}

/** The charset that a page names for itself: in its Content-Type, else in its first bytes (HTML). */
export function charsetOfPage(contentType: string, bytes: Buffer): string | undefined {
  const named = /;\s*charset\s*=\s*"?([A-Za-z0-9_:-]{2,40})/i.exec(contentType)?.[1]
  return named ?? CHARSET_IN_HTML.exec(bytes.subarray(0, 1_024).toString('latin1'))?.[1]
}

function charsetOfMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
