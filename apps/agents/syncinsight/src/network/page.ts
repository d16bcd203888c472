import type { IncomingMessage } from 'node:http'
import { untilAborted } from '../pace/until-aborted.js'
import { requestPage } from './page-request.js'
import { type ResolvedAddress, type ResolveHost, resolveChecked } from './resolution.js'
import { checkTarget, isPrivateAllowed, literalAddress, type TargetRules } from './target.js'

/** Bounds of one fetch. */
export interface PageLimits {
  /** For the whole fetch, redirects included. */
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly maxRedirects: number
}

/** What a fetch came to. `refused`: our rules forbid it and nothing of it was read; `failed`: the other side or the way to it. */
export type PageResult =
  | { readonly outcome: 'fetched'; readonly url: URL; readonly contentType: string; readonly bytes: Buffer }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string }

const READABLE = /^(?:text\/(?:html|plain|markdown|x-markdown|csv)|application\/(?:xhtml\+xml|json))$/
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Fetches the page that a source names. The target is checked before each request, redirects included, after name resolution, and
 * the connection goes to the checked address (invariant 13).
 * @throws the signal's reason when it is aborted
 */
export async function fetchPage(
  rules: TargetRules,
  limits: PageLimits,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<PageResult> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const either = AbortSignal.any([signal, timeout])
  try {
    return await follow(rules, limits, resolve, either)
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return { outcome: 'failed', reason: `no complete answer within ${limits.timeoutMs} ms` }
    const { code, message } = error as NodeJS.ErrnoException
    return { outcome: 'failed', reason: `the connection failed (${code ?? message})` }
  }
}

async function follow(
  rules: TargetRules,
  limits: PageLimits,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<PageResult> {
  let target = rules.url
  for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
    const checked = await addressesOf(target, rules, resolve, signal)
    if (!Array.isArray(checked)) return checked
    const response = await requestPage(target, checked, signal)
    const status = response.statusCode ?? 0
    if (!REDIRECTS.has(status)) return readPage(target, response, limits.maxBytes)
    response.destroy()
    const location = response.headers.location
    if (location === undefined || !URL.canParse(location, target.href)) {
      return { outcome: 'failed', reason: `answered ${status} without a usable Location` }
    }
    target = new URL(location, target)
  }
  return { outcome: 'refused', reason: `more than ${limits.maxRedirects} redirects` }
}

async function addressesOf(
  target: URL,
  rules: TargetRules,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<ResolvedAddress[] | Extract<PageResult, { outcome: 'refused' | 'failed' }>> {
  const refusal = checkTarget(target, rules)
  if (refusal !== undefined) return { outcome: 'refused', reason: `the URL ${target.origin} ${refusal}` }
  // An address in the URL itself was checked with it, and is not looked up again.
  if (literalAddress(target) !== undefined) return []
  const resolution = await untilAborted(
    resolveChecked(target.hostname, isPrivateAllowed(target, rules), resolve),
    signal,
  )
  return resolution.outcome === 'resolved' ? [...resolution.addresses] : resolution
}

async function readPage(url: URL, response: IncomingMessage, maxBytes: number): Promise<PageResult> {
  const refusal = refuseResponse(response, maxBytes)
  if (refusal !== undefined) {
    response.destroy()
    return refusal
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += (chunk as Buffer).length
    // Leaving the loop destroys the response, so the rest is never received.
    if (length > maxBytes) return tooLarge(maxBytes)
    chunks.push(chunk as Buffer)
  }
  return { outcome: 'fetched', url, contentType: response.headers['content-type'] ?? '', bytes: Buffer.concat(chunks) }
}

function refuseResponse(response: IncomingMessage, maxBytes: number): PageResult | undefined {
  const { statusCode, headers } = response
  if (statusCode !== 200) return { outcome: 'failed', reason: `answered ${statusCode}` }
  const mimeType = mimeTypeOf(headers['content-type'] ?? '')
  if (!READABLE.test(mimeType))
    return { outcome: 'refused', reason: `the content type ${mimeType || '(none)'} is not text to read` }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    return { outcome: 'failed', reason: `answered with the content encoding ${encoding}, which was not asked for` }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined
}

function tooLarge(maxBytes: number): PageResult {
  return { outcome: 'refused', reason: `larger than ${maxBytes} bytes` }
}

/** `text/html` of `Text/HTML; charset=utf-8`. */
export function mimeTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
