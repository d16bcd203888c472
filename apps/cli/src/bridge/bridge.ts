import type { HubConnection } from '@synchub/client'
import {
  claimsModern,
  type Era,
  encodeMcpError,
  type Frame,
  HubError,
  isJsonObject,
  parseFrame,
  type RequestId,
  RevisionError,
  readLines,
  toMcpError,
} from '@synchub/protocol'
import { postMessage } from './hub-request.js'
import { LegacySession } from './legacy-session.js'
import type { LineOutput } from './line-output.js'
import { RequestRelay } from './request-relay.js'
import { SessionStream } from './session-stream.js'

/** Longest line that is taken from the client. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** How long answers that are under way may take once the client has closed its side. */
const GRACE_MS = 1000
const INSTANCE = '/mcp'
const LOOK = 'Ask again; for a call, look first whether it was made: synchub traces.'

/** What a bridge works with. */
export interface BridgeOptions {
  readonly connection: HubConnection
  /** What the client writes, one message a line. */
  readonly input: AsyncIterable<Uint8Array | string>
  /** What it reads. */
  readonly output: LineOutput
  /** Told what no message can tell. */
  log(text: string): void
}

type Request = Extract<Frame, { kind: 'request' }>

/** A request that is under way. */
interface OpenRequest {
  readonly era: Era
  readonly method: string
  readonly abort: AbortController
  readonly over: Promise<void>
  /** The client does not want the answer any more. */
  isCancelled: boolean
}

/**
 * MCP over stdin and stdout for a client of this machine, out of a hub's MCP endpoint: each message is posted under the headers that its
 * revision wants, and what the hub answers becomes lines. Every request stands alone, so a hub that was away is simply there again.
 */
export class Bridge {
  readonly #options: BridgeOptions
  readonly #requests: RequestRelay
  readonly #session: LegacySession
  readonly #sessionStream: SessionStream
  readonly #open = new Map<RequestId, OpenRequest>()
  /** What the hub does not answer goes one after another: what it tells has an order. */
  #posting: Promise<void> = Promise.resolve()

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#session = new LegacySession(options.connection)
    this.#sessionStream = new SessionStream(options.connection, this.#session, options.output)
    this.#requests = new RequestRelay(options.connection, options.output, this.#session)
  }

  /** Serves the client until it closes its side. */
  async run(): Promise<void> {
    for await (const item of readLines(this.#options.input, MAX_LINE_BYTES)) {
      if (item.kind === 'line') await this.#take(item.text)
      else await this.#refuse(null, item.error, 'legacy')
    }
    await this.#finish()
  }

  async #finish(): Promise<void> {
    const open = [...this.#open.values()]
    for (const { method, abort } of open) if (method === 'subscriptions/listen') abort.abort()
    const timer = setTimeout(() => {
      for (const { abort } of open) abort.abort()
    }, GRACE_MS)
    await Promise.all([this.#sessionStream.close(), this.#posting, ...open.map(({ over }) => over)])
    await this.#session.end()
    clearTimeout(timer)
  }

  async #take(text: string): Promise<void> {
    const value = parse(text)
    if (value === undefined) {
      return this.#refuse(null, new HubError('PARSE_ERROR', 'the line is not a JSON text'), 'legacy')
    }
    // An answer to what the hub asked in this session.
    if (isResponse(value)) return this.#post(text, 'the answer to what the hub asked')
    const frame = parseFrame(value)
    if (frame.kind === 'invalid') return this.#refuse(frame.id, frame.error, 'legacy')
    if (frame.kind === 'request') return this.#start(frame, text)
    if (frame.method === 'notifications/cancelled') return this.#cancel(frame.params.requestId, text)
    this.#post(text, frame.method)
    if (frame.method === 'notifications/initialized') void this.#posting.then(() => this.#sessionStream.open())
  }

  async #start(request: Request, text: string): Promise<void> {
    const { id, method, params } = request
    const era = claimsModern(params) ? 'modern' : 'legacy'
    if (this.#open.has(id)) {
      // Which of the two would a cancel mean, and which a response?
      const error = new RevisionError('BAD_REQUEST', 'Invalid Request: a request with this id is open')
      return this.#refuse(id, error, era)
    }
    const abort = new AbortController()
    const over = this.#relay(request, text, era, abort.signal)
    this.#open.set(id, { era, method, abort, over, isCancelled: false })
    if (era === 'legacy' && method === 'initialize') this.#session.openBy(over)
  }

  async #relay({ id, method, params }: Request, text: string, era: Era, signal: AbortSignal): Promise<void> {
    const { output } = this.#options
    try {
      const response = await this.#requests.ask({ era, id, method, params }, text, signal)
      const isCancelled = signal.aborted || this.#open.get(id)?.isCancelled === true
      if (response !== null && !signal.aborted) await output.write(response.text)
      // No response follows a cancelled request; every other one gets its own.
      else if (!isCancelled)
        throw new HubError('HUB_UNAVAILABLE', 'the hub ended without an answer', { nextStep: LOOK })
    } catch (thrown) {
      if (!signal.aborted) await this.#refuse(id, thrown, era)
    } finally {
      this.#open.delete(id)
    }
  }

  /** Modern: the end of the connection is the cancel. Legacy: the hub is told. An id that is not open needs neither. */
  #cancel(requestId: unknown, text: string): void {
    const open = isRequestId(requestId) ? this.#open.get(requestId) : undefined
    if (open === undefined || open.method === 'initialize') return
    open.isCancelled = true
    if (open.era === 'modern') open.abort.abort()
    else this.#post(text, 'notifications/cancelled')
  }

  /** Sends what the hub does not answer. @param what - what it is, for the log */
  #post(text: string, what: string): void {
    const { connection, log } = this.#options
    const send = async (): Promise<void> => {
      try {
        const answer = await postMessage(connection, text, await this.#session.headers())
        answer.close()
        if (answer.status >= 300) log(`the hub refused ${what} with HTTP ${answer.status}`)
      } catch (thrown) {
        log(`${what} did not reach the hub: ${toMcpError(thrown).message}`)
      }
    }
    this.#posting = this.#posting.then(send)
  }

  async #refuse(id: RequestId | null, thrown: unknown, era: Era): Promise<void> {
    const error = toMcpError(thrown)
    if (error !== thrown) this.#options.log(`unexpected failure: ${String(thrown)}`)
    const message = { jsonrpc: '2.0', ...(id === null ? {} : { id }), error: encodeMcpError(error, era, INSTANCE) }
    await this.#options.output.write(JSON.stringify(message))
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isResponse(value: unknown): boolean {
  return isJsonObject(value) && value.method === undefined && ('result' in value || 'error' in value)
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
