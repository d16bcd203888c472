import type { Completion, CompletionQuery, ResourceReading } from '@synchub/protocol'
import type { OfferReader, PromptQuery, PromptReading } from './agent-offers.js'

/** One read of what an agent offers, as data: another process may do it. */
export type OfferRead =
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly query: PromptQuery }
  | { readonly kind: 'completion'; readonly query: CompletionQuery }

/** Does a read. @throws HubError as {@link OfferReader} */
export function performRead(
  reader: OfferReader,
  read: OfferRead,
  signal: AbortSignal,
): Promise<ResourceReading | PromptReading | Completion> {
  switch (read.kind) {
    case 'resource':
      return reader.readResource(read.uri, signal)
    case 'prompt':
      return reader.getPrompt(read.query, signal)
    case 'completion':
      return reader.complete(read.query, signal)
  }
}
