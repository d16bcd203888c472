import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { parseJson, readJson } from '../answer/json-text.js'
import { ExchangeError } from '../http/exchange-error.js'
import type { HttpEndpoint } from '../http/http-endpoint.js'

/** Largest manifest, in bytes. */
const MAX_BYTES = 8 * 1024 ** 2

/** Statuses that say nothing of the manifest: the service serves the hub not now, or not with this secret. */
const UNAVAILABLE: ReadonlySet<number> = new Set([401, 403, 429, 500, 502, 503, 504])

/** Reads a manifest as it is now. @throws ExchangeError when it cannot be read, BrokenAnswerError when it is no JSON */
export type ManifestSource = (signal: AbortSignal) => Promise<unknown>

/**
 * Where the configuration says that the manifest is: a file, or a URL of the service itself.
 * @param manifest - `file:<path>`, or a URL relative to `serviceUrl`
 * @throws Error when it is at another host
 */
export function openManifestSource(manifest: string, serviceUrl: string, endpoint: HttpEndpoint): ManifestSource {
  if (manifest.startsWith('file:')) {
    const path = manifest.startsWith('file://') ? fileURLToPath(manifest) : manifest.slice('file:'.length)
    return () => readManifestFile(path)
  }
  const { origin, pathname, search } = new URL(manifest, serviceUrl)
  if (origin !== endpoint.origin) throw new Error(`the manifest ${manifest} must be at ${endpoint.origin}`)
  return (signal) => fetchManifest(endpoint, pathname + search, signal)
}

/** Reads a manifest from a file. @throws ExchangeError when it cannot be read, BrokenAnswerError when it is no JSON */
export async function readManifestFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new ExchangeError('unreachable', `the manifest ${path} cannot be read`, cause)
  }
  return parseJson(text, `the manifest ${path}`)
}

async function fetchManifest(endpoint: HttpEndpoint, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await endpoint.request({ method: 'GET', path, headers: { Accept: 'application/json' }, signal })
  try {
    const { status } = response
    if (UNAVAILABLE.has(status)) throw new ExchangeError('unreachable', `the manifest answers HTTP ${status}`)
    if (status !== 200) throw new BrokenAnswerError(`the manifest answers HTTP ${status}`)
    return await readJson(response.chunks, MAX_BYTES)
  } finally {
    response.discard()
  }
}
