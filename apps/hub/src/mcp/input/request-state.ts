import { readState, type StateBinding, type StateContent, signState } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { readStateKey } from '@synchub/redis'
import type { HubContext } from '../../hub-context.js'

/** A state for a client that is asked something first. @throws HubError HUB_UNAVAILABLE */
export async function giveState(content: StateContent, binding: StateBinding, { store }: HubContext): Promise<string> {
  return signState(content, binding, await readStateKey(store.link))
}

/**
 * What a state names that a client has brought again. Whether that still waits for input only the store can tell.
 * @throws HubError INVALID_PARAMS, the same for every state that does not hold
 */
export async function takeState(state: unknown, binding: StateBinding, { store, clock }: HubContext): Promise<string> {
  // One that is no text was altered like any other: what it stood for must not begin anew.
  const name =
    typeof state !== 'string' ? undefined : readState(state, binding, await readStateKey(store.link), clock.now())
  if (name === undefined) throw wrongState('the requestState is not that of a request that waits for input')
  return name
}

/** The refusal of a state. */
export function wrongState(reason: string): HubError {
  const place = { path: 'requestState', expected: 'the state of a request that waits for input' }
  return new HubError('INVALID_PARAMS', reason, place)
}
