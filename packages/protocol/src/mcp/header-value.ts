const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/
const MARKED = /^=\?base64\?(.*)\?=$/

/** Writes a text as the value of a header: what a header cannot carry as it is goes as base64 of its UTF-8, between marks (SEP-2243). */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !MARKED.test(text)) return text
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return `=?base64?${btoa(bytes.join(''))}?=`
}

/** Reads what {@link encodeHeaderValue} wrote; null when the marks hold no base64 of UTF-8 in its one canonical form. */
export function decodeHeaderValue(value: string): string | null {
  const encoded = MARKED.exec(value)?.[1]
  if (encoded === undefined) return value
  try {
    const binary = atob(encoded)
    if (btoa(binary) !== encoded) return null
    // A byte order mark belongs to the text, which is compared as a whole.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    )
  } catch {
    return null
  }
}
