import type { Failure } from '../hub/failure.js'
import type { CallPayload } from './call-payload.js'
import type { PayloadAnswer, PayloadRequest } from './payload-worker.js'

/** A payload that could not be loaded. */
export class PayloadFailure extends Error {
  override readonly name = 'PayloadFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

interface Waiting {
  resolve(payload: CallPayload): void
  reject(thrown: PayloadFailure): void
}

let worker: Worker | undefined
let lastRequest = 0
const waiting = new Map<number, Waiting>()

/** Loads what a call was given and answered, however large, without holding the page up. @throws PayloadFailure */
export function loadPayload(callId: string): Promise<CallPayload> {
  worker ??= startWorker()
  const request = ++lastRequest
  worker.postMessage({ request, callId } satisfies PayloadRequest)
  return new Promise((resolve, reject) => waiting.set(request, { resolve, reject }))
}

function startWorker(): Worker {
  const started = new Worker(new URL('./payload-worker.ts', import.meta.url), { type: 'module' })
  started.onmessage = ({ data }: MessageEvent<PayloadAnswer>) => {
    const waiter = waiting.get(data.request)
    waiting.delete(data.request)
    if ('payload' in data) waiter?.resolve(data.payload)
    else waiter?.reject(new PayloadFailure(data.failure))
  }
  return started
}
