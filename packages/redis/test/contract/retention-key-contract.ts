import { afterEach, describe, expect, test } from '@jest/globals'
import type { EventDraft } from '@synchub/core'
import { createClaims } from '../../src/index.js'
import { complete, newCall, RECEIVED, started, TRACE } from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openRetention } from './retention-contract.js'

/** Greatest age of a trace in {@link openRetention}. */
const MAX_AGE_MS = 3_600_000

/** What an idempotency key answers once retention has removed its call. */
export function describeRemovedKeys(place: RedisPlace): void {
  afterEach(closeAll)

  describe('the idempotency key of a call that is kept no longer', () => {
    const claimed = async (ending: EventDraft<'complete' | 'failed'>) => {
      const { clock, store, run } = await openRetention(place)
      const claims = createClaims(store.link, clock)
      const idempotency = { keyDigest: 'k'.repeat(64), payloadDigest: 'p'.repeat(64) }
      const call = newCall({ mode: 'direct', idempotency })
      await claims.claim(TRACE, idempotency, { callId: call.callId, trace: TRACE })
      await store.log.record(call, [RECEIVED, { event: 'accepted', data: {} }, started(1)])
      await store.log.change({ call, events: [ending] })
      clock.advance(MAX_AGE_MS)
      expect(await run({ deadLetterAgeMs: 10 })).toMatchObject({ removed: 1 })
      return { claims, idempotency, call, other: { callId: newCall().callId, trace: TRACE } }
    }

    test('answers for it, and lets nothing run again', async () => {
      const { claims, idempotency, call, other } = await claimed(complete())
      const answer = { kind: 'removed', callId: call.callId, state: 'completed' }
      expect(await claims.claim(TRACE, idempotency, other)).toEqual(answer)
      const changed = { ...idempotency, payloadDigest: 'q'.repeat(64) }
      expect(await claims.claim(TRACE, changed, other)).toEqual({ kind: 'conflict', callId: call.callId })
    })

    test('is free where nothing was done', async () => {
      const error = { code: -31009, message: 'Agent Unavailable', data: { title: 'AGENT_UNAVAILABLE' } }
      const { claims, idempotency, other } = await claimed({ event: 'failed', data: { error } })
      expect(await claims.claim(TRACE, idempotency, other)).toMatchObject({ kind: 'claimed' })
    })
  })
}
