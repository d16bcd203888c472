import type { CallMode, CallState } from '@synchub/protocol'
import type { TraceRef } from '../trace/trace-ref.js'

/** A trace whose calls have ended, and its place in the order in which traces go. */
export interface EndedTrace {
  readonly trace: TraceRef
  /** Instant of its last end, in ms, or a later one that it was put off to. */
  readonly orderMs: number
}

/** What retention looks at in a call. */
export interface KeptCall {
  readonly callId: string
  readonly state: CallState
  readonly mode: CallMode
  readonly createdAtMs: number
  readonly endedAtMs: number
  /** How long its caller wants to read it as a task after it was made, in ms. */
  readonly taskTtlMs?: number
  /** Digest of its idempotency key. */
  readonly keyDigest?: string
  /** Title of the error that it ended with. */
  readonly endCode?: string
  /** A dead letter of which somebody has found out what became of it. */
  readonly isResolved?: boolean
}

/** A trace as retention finds it. */
export interface TraceFacts {
  readonly lastSeq: number
  readonly openCalls: number
  readonly endedAtMs: number
  readonly calls: readonly KeptCall[]
}

/** A new place in the order; without one the trace leaves it. */
export interface OrderMove {
  readonly ended: EndedTrace
  readonly toMs?: number
}

/** The part of a trace that is cut off. */
export interface TraceCut {
  /** Number of the first event that stays. */
  readonly firstSeq: number
  /** Calls whose end goes, and they with it: nobody could say how they ended. */
  readonly calls: readonly KeptCall[]
}

/** What is stored of ended traces, and how it is removed. */
export interface RetentionStore {
  /** Traces that go first, in order. Some may have begun anew, or be gone: `inspect` tells. */
  first(limit: number): Promise<readonly EndedTrace[]>
  count(): Promise<number>
  /** By how many bytes Redis holds more than it may; 0 or less where it does not. @param maxBytes - its bound, by its `maxmemory` where absent */
  excessBytes(maxBytes: number | undefined): Promise<number>
  /** Null where there is no such trace. */
  inspect(trace: TraceRef): Promise<TraceFacts | null>
  /** What keys of its calls answer from now on: the state that the call ended in, or that they are free. */
  closeKey(trace: TraceRef, call: KeptCall, answer: 'ended' | 'free'): Promise<void>
  /** Removes a trace as it was found, and tells its watchers; gives the bytes that were freed, null when it has changed meanwhile. */
  remove(trace: TraceRef, facts: TraceFacts): Promise<number | null>
  /** Takes traces that are gone from the lists. */
  unlist(traces: readonly TraceRef[]): Promise<void>
  /** Moves traces in the order, but for those that have ended once more since. */
  move(moves: readonly OrderMove[]): Promise<void>
  /** Traces that have grown long. */
  longTraces(): Promise<readonly TraceRef[]>
  /** What is to be cut off a trace so that it keeps its last `maxEvents` events; null where nothing is. */
  findCut(trace: TraceRef, maxEvents: number): Promise<TraceCut | null>
  /** Cuts it off; gives the number of events. */
  cut(trace: TraceRef, cut: TraceCut): Promise<number>
}
