import { HubError } from '@synchub/protocol'

const NEXT_STEP = 'Report the time of the request, and the traceId if there is one, to the operator of the hub.'

/** What was thrown while the hub served a request, as a failure: what nobody foresaw is the hub's own fault, no agent's (S4.4). */
export function toHubFailure(thrown: unknown): HubError {
  return HubError.from(thrown, 'the hub failed unexpectedly', { layer: 'hub', nextStep: NEXT_STEP })
}
