import type { Completion, CompletionQuery } from '@synchub/protocol'
import type { OfferReader, PromptQuery, PromptReading, ResourceAnswer, ResourceQuery } from './agent-offers.js'

/** One read of what an agent offers, as data: another process may do it. */
export type OfferRead =
  | { readonly kind: 'resource'; readonly query: ResourceQuery }
  | { readonly kind: 'prompt'; readonly query: PromptQuery }
  | { readonly kind: 'completion'; readonly query: CompletionQuery }

/** Does a read. @throws HubError as {@link OfferReader} */
export function performRead(
  reader: OfferReader,
  read: OfferRead,
  signal: AbortSignal,
): Promise<ResourceAnswer | PromptReading | Completion> {
  switch (read.kind) {
    case 'resource':
      return reader.readResource(read.query, signal)
    case 'prompt':
      return reader.getPrompt(read.query, signal)
    case 'completion':
      return reader.complete(read.query, signal)
  }
}
