import type { NewCall } from './call-record.js'

/** What a queue needs to know of a call: callers take turns, and `attempt` counts the runs that it has had. */
export type QueuedCall = Pick<NewCall, 'callId' | 'agent' | 'trace'> & { readonly attempt?: number }

/** The queues of the agents; a queued call waits here for a dispatcher. */
export interface CallQueue {
  /** Puts a recorded call into its agent's queue. Adding it twice does no harm: a call starts only out of the record. */
  add(call: QueuedCall): Promise<void>
  /** Takes a call out that did not start; does nothing to one that did. */
  remove(call: QueuedCall): Promise<void>
  /** Whether a job of this call waits or runs. */
  has(call: Pick<NewCall, 'callId' | 'agent'>): Promise<boolean>
}
