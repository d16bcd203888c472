import type { UrlDefinition } from '../configuration/source-definition.js'
import type { DocumentFormat } from '../documents/block.js'
import { fetchPage, mimeTypeOf } from '../network/page.js'
import { type ReadingContext, type SourceReading, takeApart } from './reading.js'
import { charsetOfPage, decodeText } from './text-decoding.js'
import { type UnreadCause, UnreadList } from './unread.js'

const FORMAT_OF_TYPE: Readonly<Record<string, DocumentFormat>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
}

/** Fetches the page of a source. */
export async function readUrlSource(definition: UrlDefinition, context: ReadingContext): Promise<SourceReading> {
  const { limits, budgetBytes, resolveHost, pace } = context
  const unread = new UnreadList()
  const pass = (cause: UnreadCause, reason: string): SourceReading => {
    unread.add({ source: definition.name, path: definition.url.href, cause, reason })
    return { definition, passages: [], documentCount: 0, unread }
  }
  const bounds = {
    timeoutMs: limits.fetchTimeoutMs,
    maxBytes: Math.min(limits.maxFileBytes, budgetBytes),
    maxRedirects: limits.maxRedirects,
  }
  const page = await fetchPage(definition, bounds, resolveHost, pace.signal)
  context.onProgress(1)
  if (page.outcome !== 'fetched') return pass(page.outcome, page.reason)
  const decoded = decodeText(page.bytes, charsetOfPage(page.contentType, page.bytes))
  if (decoded.outcome === 'not_text') return pass('refused', decoded.reason)
  const format = FORMAT_OF_TYPE[mimeTypeOf(page.contentType)] ?? 'text'
  const origin = { source: definition.name, path: page.url.href, identity: page.url.href }
  const documents = [{ origin, format, text: decoded.text }]
  const passages = await takeApart(definition.name, documents, context, unread)
  return { definition, passages, documentCount: 1, unread }
}
