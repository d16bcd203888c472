import type { HubAnswer, HubConnection } from '@synchub/client'
import { HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import { ENDPOINT, postMessage } from './hub-request.js'

/** Names of our own requests; they are told apart from the client's by the connection that they came by. */
const REOPENING = 'synchub-bridge-reopening'
/** How long the end of a session may take: the process that says it is about to end itself. */
const FAREWELL_MS = 500

/** What the handshake era keeps beside its messages: on lines it belongs to the process, over HTTP it travels in headers. */
export class LegacySession {
  readonly #connection: HubConnection
  #headers: Readonly<Record<string, string>> = {}
  #opening: Promise<void> = Promise.resolve()
  #initialize: JsonObject | undefined

  constructor(connection: HubConnection) {
    this.#connection = connection
  }

  /** Holds back what comes after an `initialize` until that is answered: its answer says under which headers the rest goes. */
  openBy(exchange: Promise<void>): void {
    this.#opening = exchange
  }

  /** The headers of a request or notification after the handshake. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    await this.#opening
    return this.#headers
  }

  /** Notes what the hub has agreed to. */
  begin(params: JsonObject, answer: HubAnswer, { result }: JsonObject): void {
    if (!isJsonObject(result)) return
    const session = answer.headers.get('mcp-session-id')
    this.#initialize = params
    this.#headers = {
      ...(typeof result.protocolVersion === 'string' ? { 'MCP-Protocol-Version': result.protocolVersion } : {}),
      ...(session === null ? {} : { 'Mcp-Session-Id': session }),
    }
  }

  /** Ends the session at the hub, which would keep it for a while; one that cannot be told forgets it by itself. */
  async end(): Promise<void> {
    if (!('Mcp-Session-Id' in this.#headers)) return
    const signal = AbortSignal.timeout(FAREWELL_MS)
    try {
      const request = {
        method: 'DELETE',
        path: ENDPOINT,
        accept: 'application/json',
        headers: this.#headers,
        signal,
      } as const
      const answer = await this.#connection.send(request)
      answer.close()
    } catch (thrown) {
      if (!signal.aborted && !(thrown instanceof HubError)) throw thrown
    }
  }

  /** Whether the hub says by this answer that it knows the session no more: nothing was done then. */
  isGone({ status }: HubAnswer): boolean {
    return status === 404 && 'Mcp-Session-Id' in this.#headers && this.#initialize !== undefined
  }

  /**
   * Opens the session anew, as the client has opened it; for any number of requests that find it gone at once.
   * @param seen - the headers under which it was found gone
   * @throws HubError when the hub cannot be reached
   */
  async reopen(seen: Readonly<Record<string, string>>): Promise<void> {
    await this.#opening
    if (this.#headers !== seen || this.#initialize === undefined) return
    const reopening = this.#reopen(this.#initialize)
    // Whoever waits for it tries under the old headers then, and learns for itself what is wrong.
    this.#opening = reopening.catch(() => undefined)
    await reopening
  }

  async #reopen(params: JsonObject): Promise<void> {
    const opening = { jsonrpc: '2.0', id: REOPENING, method: 'initialize', params }
    const answer = await postMessage(this.#connection, JSON.stringify(opening), {})
    const response = await this.#connection.jsonOf(answer)
    if (isJsonObject(response)) this.begin(params, answer, response)
    const opened = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const taken = await postMessage(this.#connection, JSON.stringify(opened), this.#headers)
    taken.close()
  }
}
