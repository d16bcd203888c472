import { setTimeout as pause } from 'node:timers/promises'
import type {
  AgentCallRequest,
  AgentConnection,
  AgentObserver,
  AgentOutcome,
  OfferList,
  OfferSource,
  StopSignal,
} from '@synchub/core'
import { HubError, type JsonObject, parseInputRequired, parseToolResult, type Tool } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { requireBoundedDepth } from '../answer/json-text.js'
import { createOfferSource } from '../answer/offer-source.js'
import { listErrorOf, messageOf, readErrorOf } from '../answer/outcome.js'
import { ExchangeError } from '../http/exchange-error.js'
import { isDoubtful, isResourceMissing, isSessionUnknown, outcomeOfMcp, SessionStartError } from './mcp-failure.js'
import type { McpSession } from './mcp-session.js'
import { RunningCall } from './running-call.js'

/** What the connection does beside its sessions. */
export interface McpConnectionOptions {
  /**
   * How long a server may answer nothing once somebody has gone without an answer, in milliseconds; then it is ended. Undefined for
   * servers that are not ours to end.
   */
  readonly hangTimeoutMs?: number
  /** Told of what is neither an outcome nor an error, in words, for the log. */
  readonly notice: (reason: string) => void
  /** Frees what outlives sessions. */
  readonly release?: () => Promise<void>
}

/** Most times that a server may want to be asked again without a question, and the pause before each. */
const MAX_ROUNDS = 10
const ROUND_PAUSE_MS = 100

/** Opens a session with the agent; the signal ends the opening. */
export type SessionOpener = (signal: AbortSignal) => Promise<McpSession>

/**
 * An MCP server as an agent. Its session is opened when it is first wanted, serves all calls, and is opened anew when it has ended
 * or the server does not know it any more.
 */
export class McpConnection implements AgentConnection {
  readonly offers: OfferSource = createOfferSource((method, params, signal) => this.#read(method, params, signal))
  readonly #open: SessionOpener
  readonly #options: McpConnectionOptions
  /** Sessions that left somebody without an answer, until it is known whether they hang. */
  readonly #checks = new Map<McpSession, Promise<void>>()
  readonly #running = new Map<string, RunningCall>()
  readonly #closing = new AbortController()
  #session: Promise<McpSession> | undefined

  constructor(open: SessionOpener, options: McpConnectionOptions) {
    this.#open = open
    this.#options = options
  }

  async listTools(signal: AbortSignal): Promise<OfferList<Tool>> {
    try {
      return await this.#inSession(signal, (session) => session.listTools(signal))
    } catch (thrown) {
      throw listErrorOf(signal.aborted ? { kind: 'aborted' } : outcomeOfMcp(thrown), thrown)
    }
  }

  async call(request: AgentCallRequest, observer: AgentObserver, signal: StopSignal): Promise<AgentOutcome> {
    if (signal.aborted) return { kind: 'aborted' }
    const call = new RunningCall(request, observer)
    const stop = () => call.end('the hub does not wait for the answer any more')
    signal.addEventListener('abort', stop, { once: true })
    this.#running.set(call.callId, call)
    try {
      const outcome = await this.#answerTo(call, request)
      if (call.fault !== undefined) throw call.fault.thrown
      if (outcome.kind !== 'aborted' || signal.aborted) return outcome
      const { cancelReason } = call
      if (cancelReason !== undefined) return { kind: 'error', error: new HubError('CANCELLED', cancelReason) }
      return { kind: 'lost', error: new HubError('OUTCOME_UNKNOWN', 'the connection to the agent was closed') }
    } finally {
      signal.removeEventListener('abort', stop)
      call.end('the answer is here')
      if (this.#running.get(call.callId) === call) this.#running.delete(call.callId)
    }
  }

  async notifyCancelled(callId: string, reason: string): Promise<void> {
    this.#running.get(callId)?.cancel(reason)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const call of this.#running.values()) call.end('the hub stops')
    const session = await this.#session?.catch(() => undefined)
    await session?.close()
    await this.#options.release?.()
  }

  /** @throws HubError */
  async #read(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#inSession(signal, (session) => session.read(method, params, signal))
    } catch (thrown) {
      if (thrown instanceof HubError) throw thrown
      if (method === 'resources/read' && isResourceMissing(thrown)) {
        throw new HubError('NOT_FOUND', messageOf(thrown), { cause: thrown })
      }
      throw readErrorOf(signal.aborted ? { kind: 'aborted' } : outcomeOfMcp(thrown), thrown)
    }
  }

  async #answerTo(call: RunningCall, request: AgentCallRequest): Promise<AgentOutcome> {
    try {
      let { input: given } = request
      for (let round = 1; round <= MAX_ROUNDS; round++) {
        const asked = given === undefined ? request : { ...request, input: given }
        const result = await this.#inSession(call.signal, (session) => session.call(call, asked))
        requireBoundedDepth(result, 'the result')
        const input = parseInputRequired(result)
        if (input === undefined) return { kind: 'result', result: parseToolResult(result) }
        if (Object.keys(input.inputRequests).length > 0) return { kind: 'input', input }
        // It asks nobody anything: it only wants to be asked again.
        given = { responses: {}, ...(input.requestState === undefined ? {} : { requestState: input.requestState }) }
        await pause(ROUND_PAUSE_MS, undefined, { signal: call.signal })
      }
      throw new BrokenAnswerError(`the agent wants to be asked again more than ${MAX_ROUNDS} times`)
    } catch (thrown) {
      return call.signal.aborted ? { kind: 'aborted' } : outcomeOfMcp(thrown)
    }
  }

  /** A session that the server does not know has done nothing, so the work is done once more in a new one. */
  async #inSession<T>(signal: AbortSignal, work: (session: McpSession) => Promise<T>): Promise<T> {
    const session = await this.#sessionFor(signal)
    try {
      return await work(session)
    } catch (thrown) {
      if (signal.aborted) this.#suspect(session)
      if (signal.aborted || !isDoubtful(thrown)) throw thrown
      this.#session = undefined
      await session.retire()
      if (!isSessionUnknown(thrown)) throw thrown
    }
    return work(await this.#sessionFor(signal))
  }

  /** Somebody has gone without an answer: perhaps the server hangs. */
  #suspect(session: McpSession): void {
    const { hangTimeoutMs } = this.#options
    if (hangTimeoutMs === undefined || this.#checks.has(session)) return
    const check = this.#endIfHung(session, hangTimeoutMs)
      .catch((thrown: unknown) => this.#options.notice(`the agent could not be ended: ${messageOf(thrown)}`))
      .finally(() => this.#checks.delete(session))
    this.#checks.set(session, check)
  }

  /** A server that answers nothing is ended as soon as nobody waits for it; limits of those who do are the hub's. */
  async #endIfHung(session: McpSession, hangTimeoutMs: number): Promise<void> {
    while (!(await session.answersWithin(hangTimeoutMs))) {
      if (this.#closing.signal.aborted) return
      if (!session.isIdle) continue
      this.#options.notice(`the agent has not answered for ${hangTimeoutMs} ms; it is ended`)
      this.#session = undefined
      return session.close()
    }
  }

  /**
   * The open session, or one that is being opened: that takes its own time, and whoever stops waiting does not end it. What would
   * be asked of a server that hangs, perhaps, waits until that is known.
   */
  async #sessionFor(signal: AbortSignal): Promise<McpSession> {
    if (this.#closing.signal.aborted) {
      throw new SessionStartError(new ExchangeError('unreachable', 'the connection is closed'))
    }
    this.#session ??= this.#start()
    const session = await untilAborted(this.#session, signal)
    const check = this.#checks.get(session)
    if (check === undefined) return session
    await untilAborted(check, signal)
    return this.#sessionFor(signal)
  }

  #start(): Promise<McpSession> {
    const forget = () => {
      if (this.#session === starting) this.#session = undefined
    }
    const starting = this.#open(this.#closing.signal).then(
      (session) => {
        void session.ended.then(forget)
        return session
      },
      (thrown: unknown) => {
        forget()
        throw new SessionStartError(thrown)
      },
    )
    return starting
  }
}

/** @throws ExchangeError when the signal aborts first */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new ExchangeError('aborted', 'the request was aborted'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
