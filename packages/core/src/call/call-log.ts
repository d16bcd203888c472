import type { CallState, EventName, JsonObject } from '@synchub/protocol'
import type { Resolution, ResolveOutcome } from '../dead-letter/resolution.js'
import type { CallOutline, CallRecord, NewCall } from './call-record.js'
import type { ChangeEvent } from './state-table.js'

/** One event that a step appends; seq, at and the ids are added by the store. */
export interface EventDraft<Name extends EventName = EventName> {
  readonly event: Name
  /** Members of the event's data beside the envelope. */
  readonly data: JsonObject
}

/** A change of a call, with the events that tell of it. */
export interface CallChange {
  readonly call: Pick<NewCall, 'callId' | 'trace' | 'tool' | 'mode' | 'fence'>
  /** Events in order; the state table gives the states. */
  readonly events: readonly EventDraft<ChangeEvent>[]
  /**
   * The attempt that this writer holds, or has seen, together with `call.fence`; any other one is fenced, also of the same number.
   * Absent for changes that may come in whichever attempt (cancel).
   */
  readonly attempt?: number
  /** Names the round of questions that this answers; a round that was answered meanwhile, in part too, is another one. */
  readonly ticket?: string
  /**
   * Opens the next attempt: the record's number goes up by one. Where it has a fence in `set` it may be asked for again as long as
   * no answer came: an opening that was made already answers `changed` once more, unless the call has gone on without it.
   */
  readonly opensAttempt?: boolean
  /** The process that makes the change answers whoever waits: nobody is told over pub/sub. */
  readonly isAnsweredHere?: boolean
  /** For progress: most bytes of it that the whole trace may hold; no bound where absent. */
  readonly maxProgressBytes?: number
  /** Hands a direct call to the queue, or keeps fence and digest of the access token of the attempt that opens. */
  readonly set?: Partial<Pick<CallRecord, 'queueDeadlineAtMs' | 'fence' | 'accessDigests' | 'question' | 'hubId'>> & {
    readonly mode?: 'queued'
  }
}

/** What became of a change. Everything but `changed` left the call as it was. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly attempt: number; readonly state: CallState; readonly lastEventId: string }
  /** The call is in a state in which this may not come; terminal states included. */
  | { readonly kind: 'not-allowed'; readonly state: CallState }
  /** Another attempt holds the call: of this number. */
  | { readonly kind: 'fenced'; readonly attempt: number }
  /** Progress that did not rise; a sign of life all the same (invariant 4). */
  | { readonly kind: 'not-rising' }
  /** The round of questions is not the one that this answers any more. */
  | { readonly kind: 'stale' }
  /** Progress for which the trace has no room any more; a sign of life all the same. */
  | { readonly kind: 'full' }
  | { readonly kind: 'missing' }

/** The log of calls: each change and its events are one atomic step (invariant 3). */
export interface CallLog {
  /**
   * Records a call with its first events.
   * @param maxTraceBytes - most bytes that the trace may hold with its arguments; no bound where absent
   * @returns `voided` when another request took over the idempotency key meanwhile, `orphaned` when the run that makes the call
   *   is over, `full` when the trace has no room for it: nothing was recorded; `unanswered` when it is not known whether it was
   * @throws HubError HUB_UNAVAILABLE, STORE_FULL: nothing was recorded
   */
  record(
    call: NewCall,
    events: readonly EventDraft[],
    maxTraceBytes?: number,
  ): Promise<'recorded' | 'voided' | 'orphaned' | 'full' | 'unanswered'>
  /** Sees that a call which is not recorded never will be; false when it is recorded already. */
  withdraw(call: Pick<NewCall, 'callId' | 'trace'>): Promise<boolean>
  /**
   * Gives up a call that is announced and not recorded, as a process leaves it that died in between or was paused: it never will be
   * recorded, and is found no more. False when it is recorded already.
   */
  abandon(callId: string): Promise<boolean>
  /** Changes a call that exists. */
  change(change: CallChange): Promise<ChangeOutcome>
  /** Whether the call is recorded and has not ended: far less to read than all of it. */
  isOpen(callId: string): Promise<boolean>
  /** Reads a call by its id; null where there is none. */
  find(callId: string): Promise<CallRecord | null>
  /** Reads what there is of a call beside its arguments; null where there is none. */
  findOutline(callId: string): Promise<CallOutline | null>
  /** The callIds of the calls that name this one as their parent, in no order. */
  findChildren(call: Pick<NewCall, 'callId' | 'trace'>): Promise<readonly string[]>
  /** The event that ended the call, with its result inline however large; null while it is open. */
  findEnding(call: CallRecord): Promise<{ readonly event: EventName; readonly data: JsonObject } | null>
  /**
   * Notes once what became of a call that was given up, with the event that tells of it; its end stays as it is.
   * @returns the resolution that stands; null where there is no such call
   */
  resolve(
    call: Pick<CallRecord, 'callId' | 'trace' | 'tool' | 'endedAtMs'>,
    found: Pick<Resolution, 'by' | 'reason'> & {
      /** What the agent answered after all, as members of the event that would have told of it in time. */
      readonly answer?: JsonObject
    },
  ): Promise<ResolveOutcome | null>
  /** What the agent of a call answered after that was given up; null where it did not. */
  findLateAnswer(call: CallRecord): Promise<JsonObject | null>
}
