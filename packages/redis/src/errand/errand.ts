import type { OfferRead } from '@synchub/core'
import type { JsonRpcErrorObject } from '@synchub/protocol'

/** A read that a hub cannot do itself, as it waits for a dispatcher: the agent runs only as a child process of one. */
export interface Errand {
  readonly agent: string
  readonly read: OfferRead
  /** The hub that is told of the answer. */
  readonly hubId: string
  /** How long that hub waits, from when the errand was given, in milliseconds. */
  readonly waitMs: number
}

/** What became of an errand. */
export type ErrandAnswer = { readonly result: unknown } | { readonly error: JsonRpcErrorObject }

/** How long an answer is kept for the hub that asked, in milliseconds. */
export const ANSWER_TTL_MS = 10_000
