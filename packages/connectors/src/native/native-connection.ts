import type {
  AgentCallRequest,
  AgentConnection,
  AgentObserver,
  AgentOutcome,
  OfferList,
  OfferSource,
  StopSignal,
} from '@synchub/core'
import { HubError, type JsonObject, type Tool } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { readJson } from '../answer/json-text.js'
import { collectOffers, TOOLS } from '../answer/offer-list.js'
import { createOfferSource } from '../answer/offer-source.js'
import { listErrorOf, messageOf, outcomeOfThrown, readErrorOf, refusedListError } from '../answer/outcome.js'
import { HttpEndpoint } from '../http/http-endpoint.js'
import { readCallAnswer } from './call-answer.js'
import type { AnswerBounds } from './event-answer.js'
import { inputParams } from './input-answer.js'
import { parseRpcAnswer, type RpcAnswer } from './rpc-answer.js'

/** Longest time that a notification may take. */
const NOTIFICATION_TIMEOUT_MS = 1_000

/** How small agents, which have nothing but tools, say that they do not know a method. */
const UNKNOWN_METHOD: ReadonlySet<number> = new Set([404, 405, 501])

const JSON_ONLY = 'application/json'
const JSON_OR_STREAM = 'application/json, text/event-stream'

/** How a native agent is reached, and what is taken from it. */
export interface NativeConnectionOptions {
  /** The agent's URL, http or https. */
  readonly url: string
  /** Sent as `Authorization: Bearer <secret>`. */
  readonly secret?: string
  /** Longest wait for a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number
  /** Largest event that is no answer, in bytes. Default 1 MiB. */
  readonly maxEventBytes?: number
  /** Largest answer, in bytes. Default 32 MiB. */
  readonly maxResultBytes?: number
  /** Told of what is neither an outcome nor an error, in words, for the log. */
  readonly notice?: (reason: string) => void
}

/**
 * Connects to an agent of the native surface: JSON-RPC over HTTP, answered as JSON or as a stream of events (S0.6). Nothing that
 * the agent sends is believed: every fault is one defined outcome.
 * @throws Error when the URL is none of HTTP
 */
export function createNativeConnection(options: NativeConnectionOptions): AgentConnection {
  const { connectTimeoutMs = 5_000, maxEventBytes = 1024 ** 2, maxResultBytes = 32 * 1024 ** 2 } = options
  const endpoint = new HttpEndpoint({ ...options, connectTimeoutMs })
  return new NativeConnection(endpoint, { maxEventBytes, maxResultBytes }, options.notice ?? (() => undefined))
}

class NativeConnection implements AgentConnection {
  readonly #endpoint: HttpEndpoint
  readonly #bounds: AnswerBounds
  readonly #notice: (reason: string) => void
  readonly offers: OfferSource = createOfferSource((method, params, signal) => this.#read(method, params, signal))

  constructor(endpoint: HttpEndpoint, bounds: AnswerBounds, notice: (reason: string) => void) {
    this.#endpoint = endpoint
    this.#bounds = bounds
    this.#notice = notice
  }

  async listTools(signal: AbortSignal): Promise<OfferList<Tool>> {
    try {
      return await collectOffers(TOOLS, async (cursor) => {
        const answer = await this.#ask('tools/list', cursor === undefined ? {} : { cursor }, signal)
        if (answer.kind === 'result') return answer.result
        throw refusedListError(answer.error)
      })
    } catch (thrown) {
      if (thrown instanceof HubError) throw thrown
      throw listErrorOf(outcomeOfThrown(thrown), thrown)
    }
  }

  /** @throws HubError */
  async #read(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    try {
      const answer = await this.#ask(method, params, signal)
      if (answer.kind === 'result') return answer.result
      throw answer.error
    } catch (thrown) {
      if (thrown instanceof HubError) throw thrown
      throw readErrorOf(outcomeOfThrown(thrown), thrown)
    }
  }

  /** Asks for what is answered with JSON alone. */
  async #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<RpcAnswer> {
    const id = method.replaceAll('/', '-')
    const response = await this.#endpoint.post(encode({ id, method, params }), JSON_ONLY, signal)
    try {
      if (response.status === 503) throw new HubError('AGENT_UNAVAILABLE', 'the agent answers HTTP 503')
      if (response.mediaType !== 'application/json' && UNKNOWN_METHOD.has(response.status)) {
        return { kind: 'error', error: new HubError('METHOD_NOT_FOUND', `HTTP ${response.status} for ${method}`) }
      }
      if (response.mediaType !== 'application/json') {
        throw new BrokenAnswerError(`HTTP ${response.status} came as ${response.mediaType || 'nothing'}, not as JSON`)
      }
      return parseRpcAnswer(await readJson(response.chunks, this.#bounds.maxResultBytes), id)
    } finally {
      response.discard()
    }
  }

  async call(request: AgentCallRequest, observer: AgentObserver, signal: StopSignal): Promise<AgentOutcome> {
    const { callId, traceId, traceparent, attempt, deadline, callerAgent, targetAgent } = request
    const { accessToken, inputCapabilities } = request
    const about = { traceId, traceparent, callId, attempt, deadline, callerAgent, targetAgent }
    const meta = { ...about, accessToken, inputCapabilities }
    const params = { name: request.tool, arguments: request.arguments, ...inputParams(request), _meta: meta }
    const body = encode({ id: callId, method: 'tools/call', params })
    try {
      const response = await this.#endpoint.post(body, JSON_OR_STREAM, signal)
      try {
        return await readCallAnswer(response, callId, observer, this.#bounds)
      } finally {
        response.discard()
      }
    } catch (thrown) {
      return outcomeOfThrown(thrown)
    }
  }

  async notifyCancelled(callId: string, reason: string): Promise<void> {
    const body = encode({ method: 'notifications/cancelled', params: { requestId: callId, reason } })
    try {
      const response = await this.#endpoint.post(body, JSON_ONLY, AbortSignal.timeout(NOTIFICATION_TIMEOUT_MS))
      response.discard()
      if (response.status >= 300) this.#notice(`the cancel of ${callId} was answered with HTTP ${response.status}`)
    } catch (thrown) {
      this.#notice(`the cancel of ${callId} did not reach the agent: ${messageOf(thrown)}`)
    }
  }

  async close(): Promise<void> {
    await this.#endpoint.close()
  }
}

function encode(frame: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...frame })
}
