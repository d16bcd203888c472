import type { CallState } from '@synchub/protocol'
import type { IdempotencyClaim } from '../call/call-record.js'
import type { StopSignal } from '../stop-switch.js'
import type { TraceRef } from '../trace/trace-ref.js'

/** Whose key it is: keys of two callers never meet. */
export interface ClaimScope {
  readonly tenant: string
  readonly owner: string
}

/** The call that a key was claimed for. */
export interface ClaimHolder {
  readonly callId: string
  readonly trace: TraceRef
}

/** What became of a claim. */
export type ClaimOutcome =
  /**
   * The call may be recorded until this instant (ms, by the clock of the store): a writer that was paused beyond it comes too late,
   * since by then the key may be another's.
   */
  | { readonly kind: 'claimed'; readonly recordByMs: number }
  /** The key belongs to this call, which is recorded: answer with its outcome. */
  | { readonly kind: 'repeat'; readonly callId: string }
  /** The key belongs to this call, which ended so and is kept no longer. */
  | { readonly kind: 'removed'; readonly callId: string; readonly state: CallState }
  /** The key was used for another tool or other arguments. */
  | { readonly kind: 'conflict'; readonly callId: string }
  /** Another request holds it whose call is not recorded yet, and `giveUp` aborted meanwhile. */
  | { readonly kind: 'pending' }

/** Idempotency keys (S4.3): the same key of one caller runs at most once. */
export interface IdempotencyClaims {
  /**
   * Claims a key for a call that is about to be recorded. While another request holds a claim whose call is not recorded yet,
   * this waits until it is, takes the claim over once it expired, or is told by `giveUp` to wait no longer.
   */
  claim(
    scope: ClaimScope,
    claim: IdempotencyClaim,
    holder: ClaimHolder,
    giveUp?: Pick<StopSignal, 'aborted'>,
  ): Promise<ClaimOutcome>
  /** A call that has not ended yet holds its key for the whole time for which keys are remembered, from now. */
  extend(scope: ClaimScope, keyDigest: string, callId: string): Promise<void>
  /** Gives a key free again after a refusal, if `callId` still holds it. */
  release(scope: ClaimScope, keyDigest: string, callId: string): Promise<void>
  /** The call that holds the key, recorded or not; null where nobody does. */
  findCallId(scope: ClaimScope, keyDigest: string): Promise<string | null>
}
