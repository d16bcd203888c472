import type { NewCall } from './call-record.js'

/** The queues of the agents; a queued call waits here for a dispatcher. */
export interface CallQueue {
  /** Puts a recorded call into its agent's queue. Adding it twice does no harm: a call starts only out of the record. */
  add(call: Pick<NewCall, 'callId' | 'agent'>): Promise<void>
  /** Takes a call out that did not start; does nothing to one that did. */
  remove(call: Pick<NewCall, 'callId' | 'agent'>): Promise<void>
  /** Whether a job of this call waits or runs. */
  has(call: Pick<NewCall, 'callId' | 'agent'>): Promise<boolean>
}
