import { type Failure, toFailure } from '../hub/failure.js'
import { hub } from '../hub/hub-client.js'
import { type CallPayload, toPayload } from './call-payload.js'

/** What the worker is asked. */
export interface PayloadRequest {
  readonly request: number
  readonly callId: string
}

/** What the worker answers. */
export type PayloadAnswer = { readonly request: number } & (
  | { readonly payload: CallPayload }
  | { readonly failure: Failure }
)

// Parsing and indenting five megabytes takes longer than a page may stand still.
globalThis.addEventListener('message', (event: MessageEvent<PayloadRequest>) => {
  const { request, callId } = event.data
  hub.getCall(callId).then(
    (call) => answer({ request, payload: toPayload(call) }),
    (thrown: unknown) => answer({ request, failure: toFailure(thrown) }),
  )
})

function answer(message: PayloadAnswer): void {
  globalThis.postMessage(message)
}
