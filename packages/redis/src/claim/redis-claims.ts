import { setTimeout as delay } from 'node:timers/promises'
import type { ClaimHolder, ClaimOutcome, ClaimScope, Clock, IdempotencyClaim, IdempotencyClaims } from '@synchub/core'
import type { CallState } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import { decodeTrace, encodeTrace } from '../index/call-index.js'

/** How claims behave; every duration in ms. */
export interface ClaimOptions {
  /** How long a key is remembered; a day by default. */
  readonly rememberMs?: number
  /**
   * How long a claim whose call is not recorded keeps others waiting before one of them takes it over; 10 s by default, and at most
   * half of the time for which keys are remembered.
   */
  readonly takeoverAfterMs?: number
}

const POLL_MS = 20
const DAY_MS = 86_400_000
const TAKEOVER_AFTER_MS = 10_000

/** Idempotency keys over Redis. A claim counts once its call is recorded; before that it is a promise that can expire. */
export function createClaims(link: RedisLink, clock: Clock, options: ClaimOptions = {}): IdempotencyClaims {
  const { rememberMs = DAY_MS } = options
  const takeoverAfterMs = options.takeoverAfterMs ?? Math.min(TAKEOVER_AFTER_MS, rememberMs / 2)

  const attempt = async (key: string, claim: IdempotencyClaim, holder: ClaimHolder, takeFrom: string) => {
    const args = [
      claim.payloadDigest,
      holder.callId,
      encodeTrace(holder.trace),
      clock.now(),
      takeoverAfterMs,
      takeFrom,
      rememberMs,
    ]
    return decodeReply(await link.run(SCRIPTS.claimKey, [key], args))
  }
  const isRecorded = (held: Held) =>
    link.ask((client) => client.hexists(link.keys.trace(decodeTrace(held.trace)).call(held.callId), 'state'))
  /** True when the call's slot is void now: its writer cannot record it any more. */
  const voidSlot = async (held: Held) => {
    const slot = link.keys.trace(decodeTrace(held.trace)).call(held.callId)
    return (await link.run(SCRIPTS.voidCall, [slot], [rememberMs])) === 'voided'
  }

  return {
    async claim(scope: ClaimScope, claim, holder, giveUp): Promise<ClaimOutcome> {
      const key = link.keys.claim(scope, claim.keyDigest)
      let takeFrom = ''
      for (;;) {
        const held = await attempt(key, claim, holder, takeFrom)
        if ('recordByMs' in held) return { kind: 'claimed', recordByMs: held.recordByMs }
        if (held.ended !== '') return toRemoved(held, claim)
        if ((await isRecorded(held)) === 1) {
          return { kind: held.payload === claim.payloadDigest ? 'repeat' : 'conflict', callId: held.callId }
        }
        // Not recorded yet: its writer is on the way, or gone. Wait until it is recorded or the claim may be taken over.
        if (held.free && (await voidSlot(held))) takeFrom = held.callId
        else if (giveUp?.aborted === true) return { kind: 'pending' }
        else await delay(POLL_MS)
      }
    },
    async release(scope, keyDigest, callId) {
      await link.run(SCRIPTS.releaseKey, [link.keys.claim(scope, keyDigest)], [callId])
    },
    async extend(scope, keyDigest, callId) {
      await link.run(SCRIPTS.extendKey, [link.keys.claim(scope, keyDigest)], [callId, rememberMs])
    },
    findCallId: (scope, keyDigest) => link.ask((client) => client.hget(link.keys.claim(scope, keyDigest), 'callId')),
  }
}

interface Held {
  readonly payload: string
  readonly callId: string
  readonly trace: string
  readonly free: boolean
  /** State that its call ended in where that is kept no longer; empty otherwise. */
  readonly ended: string
}

function toRemoved({ payload, callId, ended }: Held, claim: IdempotencyClaim): ClaimOutcome {
  return payload === claim.payloadDigest
    ? { kind: 'removed', callId, state: ended as CallState }
    : { kind: 'conflict', callId }
}

function decodeReply(reply: unknown): Held | { readonly recordByMs: number } {
  const [kind, second = '', callId = '', trace = '', free, ended = ''] = reply as string[]
  if (kind === 'claimed') return { recordByMs: Number(second) }
  return { payload: second, callId, trace, free: free === '1', ended }
}
