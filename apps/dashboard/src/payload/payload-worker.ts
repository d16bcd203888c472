import { type Failure, toFailure } from '../hub/failure.js'
import { hub } from '../hub/hub-client.js'
import { type CallPayload, type PayloadPart, toPayload, toPromptParts, toResourceParts } from './call-payload.js'

/** What may be large and is loaded off the page's thread. */
export type PayloadWish =
  | { readonly kind: 'call'; readonly callId: string }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> }

/** What a wish is answered with. */
export type PayloadOf<Wish extends PayloadWish> = Wish extends { readonly kind: 'call' }
  ? CallPayload
  : readonly PayloadPart[]

/** What the worker is asked. */
export interface PayloadRequest {
  readonly request: number
  readonly wish: PayloadWish
}

/** What the worker answers. */
export type PayloadAnswer = { readonly request: number } & (
  | { readonly payload: PayloadOf<PayloadWish> }
  | { readonly failure: Failure }
)

// Parsing and indenting five megabytes takes longer than a page may stand still.
globalThis.addEventListener('message', ({ data: { request, wish } }: MessageEvent<PayloadRequest>) => {
  load(wish).then(
    (payload) => answer({ request, payload }),
    (thrown: unknown) => answer({ request, failure: toFailure(thrown) }),
  )
})

async function load(wish: PayloadWish): Promise<PayloadOf<PayloadWish>> {
  switch (wish.kind) {
    case 'call':
      return toPayload(await hub.getCall(wish.callId))
    case 'resource':
      return toResourceParts(await hub.readResource(wish.uri))
    case 'prompt':
      return toPromptParts(await hub.prompt(wish.name, wish.arguments))
  }
}

function answer(message: PayloadAnswer): void {
  globalThis.postMessage(message)
}
