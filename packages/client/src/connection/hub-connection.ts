import { errorOfAnswer, notOurHub, parseJson } from './failure.js'
import { type AnswerLimits, type HubAnswer, openAnswer } from './hub-answer.js'

/** How a hub is reached. */
export interface ConnectionOptions {
  /** Address of the hub, e.g. `http://127.0.0.1:4000`; a path before the hub's own is kept. */
  readonly baseUrl: string
  /** API key, sent as `Authorization: Bearer`; none by default. */
  readonly apiKey?: string | undefined
  /**
   * For an agent that calls others while it works on a call of this hub: gives its run access token, sent in place of an API key. Asked
   * before each request, since a later attempt of the work brings a new one.
   */
  readonly accessToken?: (() => string | undefined) | undefined
  /** The fetch to use; the platform's by default. */
  readonly fetch?: typeof fetch | undefined
  /**
   * The longest wait for the next bytes of an answer or a stream, in ms; then the connection counts as lost. Keep it above two
   * heartbeats of the hub. Default 60 000.
   */
  readonly silenceTimeoutMs?: number | undefined
  /** The largest JSON body and the largest event that are taken, in bytes. Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined
}

/** One request to the hub. */
export interface HubRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query, from the hub's root. */
  readonly path: string
  readonly accept: string
  readonly headers?: Readonly<Record<string, string>>
  /** Body, already JSON. */
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}

const DEFAULT_SILENCE_TIMEOUT_MS = 60_000
const DEFAULT_MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Sends requests to one hub and turns every failure on the way into a HubError. */
export class HubConnection implements AnswerLimits {
  readonly baseUrl: string
  readonly silenceTimeoutMs: number
  readonly maxAnswerBytes: number
  readonly #fetch: typeof fetch
  readonly #credential: () => string | undefined

  /** @throws TypeError when the address is no http(s) URL or holds credentials, query or fragment, and for two credentials */
  constructor(options: ConnectionOptions) {
    this.baseUrl = checkBaseUrl(options.baseUrl)
    this.silenceTimeoutMs = options.silenceTimeoutMs ?? DEFAULT_SILENCE_TIMEOUT_MS
    this.maxAnswerBytes = options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
    const { apiKey, accessToken } = options
    if (apiKey !== undefined && accessToken !== undefined) {
      throw new TypeError('give the client either an API key or a run access token: a request carries one credential')
    }
    this.#credential = accessToken ?? (() => apiKey)
  }

  /**
   * Sends one request and gives its answer, whatever its status.
   * @throws HubError HUB_UNAVAILABLE when no answer came; the signal's reason when it aborted
   */
  send({ method, path, accept, headers, body, signal }: HubRequest): Promise<HubAnswer> {
    const credential = this.#credential()
    const init: RequestInit = {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        accept,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }
    return openAnswer(this.#fetch, this.baseUrl + path, init, this)
  }

  /**
   * Sends one request and gives the JSON of its answer.
   * @throws HubError what the hub answered where that is no success, HUB_UNAVAILABLE, CONTRACT_BROKEN
   */
  async json(request: Omit<HubRequest, 'accept'>): Promise<unknown> {
    const answer = await this.send({ ...request, accept: 'application/json' })
    if (answer.status >= 400) throw await this.failureOf(answer)
    return this.jsonOf(answer)
  }

  /** The JSON of an answer. */
  async jsonOf(answer: HubAnswer): Promise<unknown> {
    const value = answer.is('application/json') ? parseJson(await answer.text()) : undefined
    if (value !== undefined) return value
    answer.close()
    throw notOurHub(this.baseUrl, `answered with status ${answer.status} but without a JSON text`)
  }

  /** The failure that an answer reports. */
  async failureOf(answer: HubAnswer): Promise<Error> {
    const retryAfter = answer.headers.get('retry-after')
    return errorOfAnswer(this.baseUrl, { status: answer.status, text: await answer.text(), retryAfter })
  }
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('the address of the hub must be an http or https URL, such as http://127.0.0.1:4000')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'the address of the hub may hold no credentials, query or fragment; give the API key on its own',
    )
  }
  return url.href.replace(/\/+$/, '')
}
