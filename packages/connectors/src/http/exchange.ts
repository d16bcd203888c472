import type { IncomingHttpHeaders } from 'node:http'
import type { StopSignal } from '@synchub/core'
import type { Dispatcher } from 'undici'
import { ExchangeError } from './exchange-error.js'
import { ResponseBody } from './response-body.js'

/** The beginning of a response, and its body. */
export interface BegunResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: ResponseBody
}

/**
 * One request and its response, as a handler of undici's dispatcher: of the two ways to use it the one without a stream for each
 * body. Knows when the request goes out: before that the agent has surely done nothing, after it nobody knows.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Settles when the response begins; rejects with an ExchangeError when none does. */
  readonly response: Promise<BegunResponse>
  readonly #signal: StopSignal
  #controller: Dispatcher.DispatchController | undefined
  #body: ResponseBody | undefined
  #begin!: (response: BegunResponse) => void
  #fail!: (error: ExchangeError) => void

  constructor(signal: StopSignal) {
    this.#signal = signal
    this.response = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#fail = reject
    })
    signal.addEventListener('abort', this.#onAbort)
    if (signal.aborted) this.#onAbort()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: it must not go out any more.
    if (this.#signal.aborted) controller.abort(new Error('the request was aborted'))
    else this.#controller = controller
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx only announces a response (RFC 9110 section 15.2).
    if (status < 200) return
    this.#body = new ResponseBody(controller, this.#signal)
    this.#begin({ status, headers, body: this.#body })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.push(chunk)
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#body?.close()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    if (this.#body === undefined) this.#fail(ExchangeError.from(error, this.#controller !== undefined, this.#signal))
    else this.#body.close(error)
  }

  readonly #onAbort = (): void => {
    const reason = new Error('the request was aborted')
    if (this.#controller !== undefined) this.#controller.abort(reason)
    // Nothing has gone out, so nobody else will tell.
    else this.#fail(ExchangeError.from(reason, false, this.#signal))
  }
}
