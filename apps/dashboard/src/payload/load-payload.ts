import type { Failure } from '../hub/failure.js'
import type { PayloadAnswer, PayloadOf, PayloadRequest, PayloadWish } from './payload-worker.js'

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
  resolve(payload: PayloadOf<PayloadWish>): void
  reject(thrown: PayloadFailure): void
}

let worker: Worker | undefined
let lastRequest = 0
const waiting = new Map<number, Waiting>()

/** Loads and takes apart what may be large, without holding the page up. @throws PayloadFailure */
export async function loadPayload<Wish extends PayloadWish>(wish: Wish): Promise<PayloadOf<Wish>> {
  worker ??= startWorker()
  const request = ++lastRequest
  worker.postMessage({ request, wish } satisfies PayloadRequest)
  const payload = await new Promise<PayloadOf<PayloadWish>>((resolve, reject) => {
    waiting.set(request, { resolve, reject })
  })
  // The worker answers a wish with what that kind of wish is answered with.
  return payload as PayloadOf<Wish>
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
