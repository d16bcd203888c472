import { setTimeout as pause } from 'node:timers/promises'
import { Client, ProtocolError, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import type { AgentCallRequest, OfferList } from '@synchub/core'
import {
  declaredParamHeaders,
  HubError,
  isJsonObject,
  type JsonObject,
  META_KEYS,
  type ParamHeader,
  ParamHeaderError,
  paramHeadersOf,
  readParamHeaders,
  type Tool,
} from '@synchub/protocol'
import { requireBoundedDepth } from '../answer/json-text.js'
import { collectOffers, TOOLS } from '../answer/offer-list.js'
import { messageOf } from '../answer/outcome.js'
import { ExchangeError } from '../http/exchange-error.js'
import { KeptAnswer } from './kept-answer.js'
import type { KeptRequest } from './kept-request.js'
import { ListChanges } from './list-changes.js'
import type { ObservedTransport } from './observed-transport.js'
import type { RunningCall } from './running-call.js'

/** The client's own limit of a request: the longest timer there is, since limits are the hub's to keep. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Notices of one session: a server that sends rubbish must not fill the log. */
const MAX_NOTICES = 10

/** JSON-RPC code of MCP 2026-07-28: the headers of a request are not those that its body demands. */
const HEADER_MISMATCH = -32020

/** Takes every result: what the client does not check is checked by us. */
const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'synchub', validate: (value) => ({ value }) },
}

/** A server did not say who it is in time. */
export class SessionOverdueError extends ExchangeError {
  constructor(startTimeoutMs: number) {
    super('unreachable', `the agent did not answer initialize within ${startTimeoutMs} ms`)
  }
}

/** How a session is opened. */
export interface SessionOptions {
  /** Makes the transport; `kept` are the requests whose results it keeps. */
  readonly connect: (kept: ReadonlyMap<string, KeptRequest>) => ObservedTransport
  /** `auto` asks for the modern revision first; `legacy` begins with the handshake. */
  readonly era: 'auto' | 'legacy'
  /** Longest wait for the answer to the question for the modern revision, in milliseconds. */
  readonly probeTimeoutMs: number
  /** Longest time until the server has said who it is, in milliseconds. */
  readonly startTimeoutMs: number
  /** Ends the opening. */
  readonly signal: AbortSignal
  readonly notice: (reason: string) => void
  /** Told when the server says that its lists have changed; absent where nobody wants to know. */
  readonly onListChange?: (() => void) | undefined
}

/** The capability that a server declares for what begins so. */
const CAPABILITIES: Readonly<Record<string, 'tools' | 'resources' | 'prompts' | 'completions'>> = {
  tools: 'tools',
  resources: 'resources',
  prompts: 'prompts',
  completion: 'completions',
}

/**
 * Opens a session with an MCP server of either era.
 * @throws what the client throws; ExchangeError when it takes too long or is aborted
 */
export async function openSession(options: SessionOptions): Promise<McpSession> {
  const { connect, era, probeTimeoutMs, startTimeoutMs, signal, notice, onListChange } = options
  const kept = new Map<string, KeptRequest>()
  const transport = connect(kept)
  const client = new Client(
    { name: 'synchub', version: '0.1.0' },
    { versionNegotiation: { mode: era, probe: { timeoutMs: probeTimeoutMs } } },
  )
  let notices = 0
  client.onerror = (error) => {
    if (++notices <= MAX_NOTICES) notice(`the MCP client reports: ${messageOf(error)}`)
  }
  const changes = onListChange === undefined ? undefined : new ListChanges(client, onListChange)
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  const timer = new AbortController()
  const overdue = pause(startTimeoutMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).then(
    () => {
      throw new SessionOverdueError(startTimeoutMs)
    },
    (cause: unknown) => {
      throw new ExchangeError('aborted', 'the connection is closed', cause)
    },
  )
  try {
    await Promise.race([client.connect(transport, { timeout: startTimeoutMs }), overdue])
    return new McpSession({ client, kept, ended, changes, notice })
  } catch (thrown) {
    await transport.close()
    throw thrown
  } finally {
    timer.abort()
    overdue.catch(() => undefined)
  }
}

interface SessionParts {
  readonly client: Client
  readonly kept: Map<string, KeptRequest>
  readonly ended: Promise<void>
  readonly changes: ListChanges | undefined
  readonly notice: (reason: string) => void
}

/** One client of the official library with its one connection to one MCP server (S4.3). */
export class McpSession {
  /** Settles when the connection is closed, from whichever side. */
  readonly ended: Promise<void>
  readonly #client: Client
  readonly #kept: Map<string, KeptRequest>
  readonly #changes: ListChanges | undefined
  readonly #notice: (reason: string) => void
  #paramHeaders: ReadonlyMap<string, readonly ParamHeader[]> = new Map()
  #reads = 0
  #isRetired = false

  constructor({ client, kept, ended, changes, notice }: SessionParts) {
    this.#client = client
    this.#kept = kept
    this.#changes = changes
    this.#notice = notice
    this.ended = ended
  }

  /**
   * Calls a tool and gives the result as the server sent it.
   * @throws what the client throws
   */
  async call(call: RunningCall, request: AgentCallRequest): Promise<unknown> {
    try {
      return await this.#callOnce(call, request)
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError) || thrown.code !== HEADER_MISMATCH) throw thrown
      // Refused before it was run: the tool wants other headers since the catalogue was read.
      await this.listTools(call.signal)
      return this.#callOnce(call, request)
    }
  }

  /**
   * Lists the tools that the hub can call.
   * @throws what the client throws; BrokenAnswerError
   */
  async listTools(signal: AbortSignal): Promise<OfferList<Tool>> {
    // Before the list: what changes between the two is told. Nobody waits for it, since lists are also looked at at a pace.
    this.#changes?.listen().catch((thrown: unknown) => {
      this.#notice(`the agent does not tell when its lists change: ${messageOf(thrown)}`)
    })
    if (!this.#hasCapability('tools/list')) return { offers: [], refused: [] }
    const headers = new Map<string, readonly ParamHeader[]>()
    const tools = await collectOffers(
      TOOLS,
      (cursor) => this.#askKept('tools/list', cursor === undefined ? {} : { cursor }, signal),
      (tool, listed) => this.#takeTool(tool, listed, headers),
    )
    this.#paramHeaders = headers
    return tools
  }

  /**
   * Asks for something that is only read, and gives the result as the server sent it.
   * @throws HubError METHOD_NOT_FOUND where the server declares nothing of the kind; what the client throws; BrokenAnswerError
   */
  async read(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    if (this.#hasCapability(method)) return this.#askKept(method, params, signal)
    throw new HubError('METHOD_NOT_FOUND', `the agent has no ${method}`)
  }

  /** Whether nobody waits for an answer. */
  get isIdle(): boolean {
    return this.#kept.size === 0
  }

  /** Whether the server answers at all; what it answers does not matter. */
  async answersWithin(timeoutMs: number): Promise<boolean> {
    const patience = AbortSignal.timeout(timeoutMs)
    try {
      await this.#askKept('tools/list', {}, patience)
    } catch {
      return !patience.aborted
    }
    return true
  }

  /** No call begins here any more; the connection is closed when the last one has ended. */
  async retire(): Promise<void> {
    this.#isRetired = true
    if (this.#kept.size === 0) await this.close()
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #callOnce(call: RunningCall, request: AgentCallRequest): Promise<unknown> {
    const { tool, arguments: args, callId, traceId, traceparent, attempt, deadline } = request
    const { callerAgent, targetAgent, accessToken } = request
    const meta = { traceId, traceparent, callId, attempt, deadline, callerAgent, targetAgent, accessToken }
    if (this.#client.getProtocolEra() !== 'modern') {
      return this.#ask(call, 'tools/call', { name: tool, arguments: args, _meta: meta })
    }
    const headers = paramHeadersOf(
      this.#paramHeaders.get(tool) ?? declaredParamHeaders(request.inputSchema ?? {}),
      args,
    )
    const { inputCapabilities = {}, input } = request
    const answers = input === undefined ? {} : { inputResponses: input.responses, requestState: input.requestState }
    // The agent may ask the caller, so what counts is what that has declared, request by request.
    const declared = { ...meta, [META_KEYS.clientCapabilities]: inputCapabilities }
    return this.#ask(call, 'tools/call', { name: tool, arguments: args, ...answers, _meta: declared }, headers)
  }

  async #askKept(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const result = await this.#ask(new KeptAnswer(method, `read.${++this.#reads}`, signal), method, params)
    requireBoundedDepth(result, `the result of ${method}`)
    return result
  }

  #hasCapability(method: string): boolean {
    const capability = CAPABILITIES[method.split('/')[0] ?? '']
    return capability !== undefined && this.#client.getServerCapabilities()?.[capability] !== undefined
  }

  async #ask(
    kept: KeptRequest,
    method: string,
    params: JsonObject,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const { progressToken, signal } = kept
    const meta = { ...(params._meta as JsonObject | undefined), progressToken }
    this.#kept.set(progressToken, kept)
    try {
      const request = { method, params: { ...params, _meta: meta } }
      await this.#client.request(request, ANYTHING, { signal, timeout: LONGEST_TIMER_MS, headers })
      return kept.result
    } finally {
      this.#kept.delete(progressToken)
      if (this.#isRetired) await this.retire()
    }
  }

  /** Why a tool cannot be called by the hub; notes the headers of one that can. */
  #takeTool({ name, inputSchema }: Tool, listed: JsonObject, headers: Map<string, readonly ParamHeader[]>) {
    const { execution } = listed
    if (isJsonObject(execution) && execution.taskSupport === 'required') {
      return 'it runs as an MCP task only, and the hub keeps its calls by itself'
    }
    // Before its revision the declaration means nothing.
    if (this.#client.getProtocolEra() !== 'modern') return undefined
    try {
      headers.set(name, readParamHeaders(inputSchema))
      return undefined
    } catch (thrown) {
      if (thrown instanceof ParamHeaderError) return thrown.message
      throw thrown
    }
  }
}
