import type { ProgressData } from '@synchub/protocol'

/** The ids of a call that the hub has recorded. */
export interface CallIds {
  readonly callId: string
  readonly traceId: string
}

/** Options that name a call and its place. */
export interface CallIdentity {
  /** The trace that the call belongs to; the hub makes one up by default. */
  readonly traceId?: string | undefined
  /**
   * One key for one business operation: a call that is sent again with it is not done again. Made up by default, which protects
   * this one `call` through every outage; choose it yourself to be protected over restarts of your own process too.
   */
  readonly idempotencyKey?: string | undefined
  /** The agent to ask, where several have a tool of this name. */
  readonly targetAgent?: string | undefined
  /** The call that your agent works on while it makes this one. */
  readonly parentCallId?: string | undefined
  /** Stops waiting and rejects with the signal's reason; the call itself goes on (see `cancel`). */
  readonly signal?: AbortSignal | undefined
  /** The longest time without any answer of the hub, in ms; then the last failure is thrown. Default 300 000. */
  readonly outageTimeoutMs?: number | undefined
}

/** Options of `call`. */
export interface CallOptions extends CallIdentity {
  /** How long to wait for the outcome, in ms; then DEADLINE_EXCEEDED, and the call goes on. Default: until it is known. */
  readonly timeoutMs?: number | undefined
  /** Told of progress, in order and none twice; not of what came in an outage that outlasted the call. */
  readonly onProgress?: ((progress: ProgressData) => void) | undefined
  /** Told once, as soon as the hub is known to work on the call; not for one that it refuses. */
  readonly onAccepted?: ((ids: CallIds) => void) | undefined
}

/** How long `call` and `start` bear a hub that cannot be reached, in ms. */
export const DEFAULT_OUTAGE_TIMEOUT_MS = 300_000
