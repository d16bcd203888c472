import type { HubConnection } from '@synchub/client'
import { isJsonObject, type McpRequest, modernHeadersOf } from '@synchub/protocol'
import { type HubResponse, readResponse } from './hub-answer.js'
import { postMessage } from './hub-request.js'
import type { LegacySession } from './legacy-session.js'
import type { LineOutput } from './line-output.js'
import { ToolHeaders } from './tool-headers.js'

const HEADER_MISMATCH = -32_020

/** Asks the hub one request at a time, as its era wants it. */
export class RequestRelay {
  readonly #connection: HubConnection
  readonly #output: LineOutput
  readonly #session: LegacySession
  readonly #toolHeaders: ToolHeaders

  constructor(connection: HubConnection, output: LineOutput, session: LegacySession) {
    this.#connection = connection
    this.#output = output
    this.#session = session
    this.#toolHeaders = new ToolHeaders(connection)
  }

  /**
   * Posts a request and gives its response; what comes before that is written as it comes.
   * @param text - the request as the client wrote it
   * @returns null when the hub ended without a response
   * @throws HubError when the hub cannot be reached; RevisionError for metadata that make no headers
   */
  ask(request: McpRequest, text: string, signal: AbortSignal): Promise<HubResponse | null> {
    if (request.era === 'modern') return this.#askModern(request, text, signal)
    return request.method === 'initialize' ? this.#open(request, text, signal) : this.#askLegacy(request, text, signal)
  }

  async #askModern(request: McpRequest, text: string, signal: AbortSignal): Promise<HubResponse | null> {
    const { method, params } = request
    const isCall = method === 'tools/call'
    const own = modernHeadersOf(method, params)
    const sent = isCall ? this.#toolHeaders.of(params) : {}
    const response = await this.#post(request, text, { ...own, ...sent }, signal)
    if (!isCall || !isHeaderMismatch(response)) return response
    // Refused before anything was done.
    await this.#toolHeaders.learn(params, signal)
    const wanted = this.#toolHeaders.of(params)
    return JSON.stringify(wanted) === JSON.stringify(sent)
      ? response
      : this.#post(request, text, { ...own, ...wanted }, signal)
  }

  async #open({ id, params }: McpRequest, text: string, signal: AbortSignal): Promise<HubResponse | null> {
    const answer = await postMessage(this.#connection, text, {}, signal)
    const response = await readResponse(answer, id, this.#output)
    if (response !== null) this.#session.begin(params, answer, response.value)
    return response
  }

  async #askLegacy(request: McpRequest, text: string, signal: AbortSignal): Promise<HubResponse | null> {
    const headers = await this.#session.headers()
    const answer = await postMessage(this.#connection, text, headers, signal)
    if (!this.#session.isGone(answer)) return readResponse(answer, request.id, this.#output)
    answer.close()
    await this.#session.reopen(headers)
    return this.#post(request, text, await this.#session.headers(), signal)
  }

  async #post(
    { id }: McpRequest,
    text: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<HubResponse | null> {
    return readResponse(await postMessage(this.#connection, text, headers, signal), id, this.#output)
  }
}

function isHeaderMismatch(response: HubResponse | null): boolean {
  return response !== null && isJsonObject(response.value.error) && response.value.error.code === HEADER_MISMATCH
}
