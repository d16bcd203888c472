import type { DeadLetterFilter } from '@synchub/client'

/** Which dead letters a person wants to see; kept in the URL, so that a link shows the same. */
export interface DeadLetterWish {
  /** Those of which somebody has said what became of them, in place of those that wait. */
  readonly isResolved: boolean
  readonly state?: DeadLetterState | undefined
  readonly agent?: string | undefined
}

/** How a dead letter ended. */
export type DeadLetterState = NonNullable<DeadLetterFilter['state']>

/** The endings that one can ask for. */
export const DEAD_LETTER_STATES: readonly DeadLetterState[] = ['unknown', 'failed']

/** Reads a wish from the parameters of a URL; what is none is passed over. */
export function readWish(params: URLSearchParams): DeadLetterWish {
  return {
    isResolved: params.get('resolved') === '1',
    state: DEAD_LETTER_STATES.find((state) => state === params.get('state')),
    agent: params.get('agent') || undefined,
  }
}

/** The address of the page with a wish. */
export function addressOf({ isResolved, state, agent }: DeadLetterWish): string {
  const params = new URLSearchParams()
  if (isResolved) params.set('resolved', '1')
  if (state !== undefined) params.set('state', state)
  if (agent !== undefined) params.set('agent', agent)
  return params.size === 0 ? '/dead-letters' : `/dead-letters?${params.toString()}`
}
