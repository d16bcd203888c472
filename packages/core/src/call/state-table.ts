import type { CallState, EventName } from '@synchub/protocol'

/** What one event does to a call. */
interface Transition {
  readonly event: EventName
  /** States in which the event may come. */
  readonly from: readonly CallState[]
  readonly to: CallState
}

/**
 * The life of a call, once for all processes (design section 4). Atomic steps of the store are generic and are given the
 * allowed states from here; an event that this table does not allow is never appended.
 */
const TRANSITIONS = [
  { event: 'accepted', from: ['received', 'awaiting_input'], to: 'queued' },
  { event: 'refused', from: ['received'], to: 'refused' },
  { event: 'started', from: ['queued', 'running', 'awaiting_input'], to: 'running' },
  { event: 'progress', from: ['running'], to: 'running' },
  { event: 'retrying', from: ['running'], to: 'running' },
  { event: 'handed_back', from: ['running'], to: 'queued' },
  { event: 'input_requested', from: ['running'], to: 'awaiting_input' },
  // With the last answer, `accepted` or `started` follows in the same step.
  { event: 'input_received', from: ['awaiting_input'], to: 'awaiting_input' },
  { event: 'complete', from: ['running'], to: 'completed' },
  { event: 'failed', from: ['queued', 'running', 'awaiting_input'], to: 'failed' },
  { event: 'cancelled', from: ['queued', 'running', 'awaiting_input'], to: 'cancelled' },
  // Out of the queue too: an attempt before the wait may have reached the agent.
  { event: 'unknown', from: ['queued', 'running'], to: 'unknown' },
] as const satisfies readonly Transition[]

/** An event that changes a call which exists: all but `received`, which makes it. */
export type ChangeEvent = (typeof TRANSITIONS)[number]['event']

const BY_EVENT = new Map<string, Transition>(TRANSITIONS.map((transition) => [transition.event, transition]))

/** What `event` does: from which states it may come, and the state it leads to. */
export function transitionOf(event: ChangeEvent): Transition {
  const transition = BY_EVENT.get(event)
  if (transition === undefined) throw new Error(`the state table has no event ${event}`)
  return transition
}
