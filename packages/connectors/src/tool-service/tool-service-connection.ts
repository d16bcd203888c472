import {
  type AgentCallRequest,
  type AgentConnection,
  type AgentObserver,
  type AgentOutcome,
  type OfferList,
  type StopSignal,
  StopSwitch,
} from '@synchub/core'
import { HubError, type Tool } from '@synchub/protocol'
import { TOOLS_ONLY } from '../answer/offer-source.js'
import { listErrorOf, messageOf, outcomeOfThrown } from '../answer/outcome.js'
import { HttpEndpoint } from '../http/http-endpoint.js'
import type { ServiceTool } from './manifest.js'
import { ManifestBook } from './manifest-book.js'
import { openManifestSource, readManifestFile } from './manifest-source.js'
import { type AnswerReading, readServiceAnswer } from './service-answer.js'

const ACCEPT = 'application/json, text/plain;q=0.9, */*;q=0.5'

/** How a plain HTTP tool service is reached, and what is taken from it. */
export interface ToolServiceConnectionOptions {
  /** Where the service is, http or https; endpoints are relative to it. */
  readonly url: string
  /** Where its tools are listed: a URL relative to `url`, or `file:<path>`. */
  readonly manifest: string
  /** Sent as `Authorization: Bearer <secret>`. */
  readonly secret?: string
  /** A file that lists the tools until the service has done so once. */
  readonly fallbackManifest?: string
  /** How old the list may be that a call goes by, in milliseconds; infinite for who lists at a pace. Default 30,000. */
  readonly maxManifestAgeMs?: number
  /** What a JSON object becomes where the tool promises one: a structured result beside its text (the default), or its text alone. */
  readonly results?: 'structured' | 'text'
  /** Longest wait for a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number
  /** Largest answer, in bytes. Default 32 MiB. */
  readonly maxResultBytes?: number
  /** Told of what is neither an outcome nor an error, in words, for the log. */
  readonly notice?: (reason: string) => void
}

/**
 * Connects to a service of plain HTTP tools: a call is a POST of its arguments to the tool's endpoint.
 * @throws Error when the URL is none of HTTP, or the manifest lies elsewhere
 */
export function createToolServiceConnection(options: ToolServiceConnectionOptions): AgentConnection {
  const { url, manifest, connectTimeoutMs = 5_000, fallbackManifest } = options
  const endpoint = new HttpEndpoint({ ...options, connectTimeoutMs })
  const book = new ManifestBook({
    source: openManifestSource(manifest, url, endpoint),
    fallback: fallbackManifest === undefined ? undefined : () => readManifestFile(fallbackManifest),
    serviceUrl: url,
    maxAgeMs: options.maxManifestAgeMs ?? 30_000,
    notice: options.notice ?? (() => undefined),
  })
  return new ToolServiceConnection(endpoint, book, {
    maxBytes: options.maxResultBytes ?? 32 * 1024 ** 2,
    isStructured: options.results !== 'text',
  })
}

class ToolServiceConnection implements AgentConnection {
  readonly offers = TOOLS_ONLY
  readonly #endpoint: HttpEndpoint
  readonly #book: ManifestBook
  readonly #reading: AnswerReading
  /** What ends a call that was cancelled: a service has no other way to hear of it than the end of its connection. */
  readonly #cancels = new Map<string, StopSwitch>()

  constructor(endpoint: HttpEndpoint, book: ManifestBook, reading: AnswerReading) {
    this.#endpoint = endpoint
    this.#book = book
    this.#reading = reading
  }

  async listTools(signal: AbortSignal): Promise<OfferList<Tool>> {
    try {
      const { tools, refused } = await this.#book.read(signal)
      return { offers: [...tools.values()].map(({ tool }) => tool), refused }
    } catch (thrown) {
      throw listErrorOf(outcomeOfThrown(thrown), thrown)
    }
  }

  async call(request: AgentCallRequest, _observer: AgentObserver, signal: StopSignal): Promise<AgentOutcome> {
    if (signal.aborted) return { kind: 'aborted' }
    const cancel = new StopSwitch()
    const abort = () => cancel.abort()
    signal.addEventListener('abort', abort)
    this.#cancels.set(request.callId, cancel)
    try {
      const found = await this.#find(request.tool)
      if (!('path' in found)) return found
      return await this.#post(found, request, cancel)
    } catch (thrown) {
      const outcome = outcomeOfThrown(thrown)
      if (outcome.kind !== 'aborted' || signal.aborted) return outcome
      return { kind: 'error', error: new HubError('CANCELLED', String(cancel.reason)) }
    } finally {
      signal.removeEventListener('abort', abort)
      if (this.#cancels.get(request.callId) === cancel) this.#cancels.delete(request.callId)
    }
  }

  async notifyCancelled(callId: string, reason: string): Promise<void> {
    this.#cancels.get(callId)?.abort(reason)
  }

  async close(): Promise<void> {
    await this.#endpoint.close()
  }

  /** The tool, or why it cannot be asked. */
  async #find(name: string): Promise<ServiceTool | AgentOutcome> {
    try {
      const found = (await this.#book.current()).tools.get(name)
      if (found !== undefined) return found
      return { kind: 'error', error: new HubError('METHOD_NOT_FOUND', `the service has no tool ${name}`) }
    } catch (thrown) {
      const error = new HubError('AGENT_UNAVAILABLE', messageOf(thrown), { cause: thrown })
      return { kind: 'unreachable', error }
    }
  }

  async #post({ tool, path }: ServiceTool, request: AgentCallRequest, signal: StopSignal): Promise<AgentOutcome> {
    const { callId, traceId, traceparent, attempt, deadline, carried } = request
    const response = await this.#endpoint.request({
      method: 'POST',
      path,
      headers: {
        ...carried,
        'Content-Type': 'application/json',
        Accept: ACCEPT,
        'SyncHub-Call-Id': callId,
        'SyncHub-Trace-Id': traceId,
        'SyncHub-Attempt': String(attempt),
        'SyncHub-Deadline': deadline,
        ...(traceparent === undefined ? {} : { traceparent }),
        // The name by which services know a repeat.
        'Idempotency-Key': callId,
      },
      body: JSON.stringify(request.arguments),
      signal,
    })
    try {
      return { kind: 'result', result: await readServiceAnswer(response, tool, this.#reading) }
    } finally {
      response.discard()
    }
  }
}
