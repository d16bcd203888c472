import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ClaimOutcome, type NewCall, StopSwitch } from '@synchub/core'
import { createClaims, type RedisLink } from '../../src/index.js'
import { ACCEPTED, newCall, RECEIVED, readEvents, TRACE } from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { systemClock } from '../clock/system-clock.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, type TestStore } from '../place/test-store.js'

const SCOPE = { tenant: 'acme', owner: 'alice' }
const CLAIM = { keyDigest: 'k1', payloadDigest: 'p1' }

const holderOf = ({ callId, trace }: NewCall) => ({ callId, trace })
const record = ({ log }: TestStore, call: NewCall) => log.record(call, [RECEIVED, ACCEPTED])

/** Of a caller that waits for nothing. */
function gaveUp(): StopSwitch {
  const giveUp = new StopSwitch()
  giveUp.abort()
  return giveUp
}

/** How idempotency keys are claimed. */
export function describeClaims(place: RedisPlace): void {
  afterEach(closeAll)

  describe('an idempotency key', () => {
    test('goes to one of 50 who claim it at once; the others wait and are told of its call', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock)
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const call = newCall({ idempotency: CLAIM })
          const outcome = await claims.claim(SCOPE, CLAIM, holderOf(call))
          if (outcome.kind === 'claimed') await record(store, call)
          return { call, outcome }
        }),
      )
      const winners = outcomes.filter(({ outcome }) => outcome.kind === 'claimed')
      expect(winners).toHaveLength(1)
      const callId = winners[0]?.call.callId
      const rest = outcomes.filter(({ outcome }) => outcome.kind !== 'claimed').map(({ outcome }) => outcome)
      expect(rest).toEqual(Array.from({ length: 49 }, () => ({ kind: 'repeat', callId })))
      expect(await readEvents(store)).toHaveLength(2)
      expect(await claims.findCallId(SCOPE, CLAIM.keyDigest)).toBe(callId)
    })

    test('used for something else is a conflict', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock)
      const call = newCall()
      await claims.claim(SCOPE, CLAIM, holderOf(call))
      await record(store, call)
      const other = await claims.claim(SCOPE, { ...CLAIM, payloadDigest: 'p2' }, holderOf(newCall()))
      expect(other).toMatchObject({ kind: 'conflict' })
    })

    test('is another one for every tenant and owner', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock)
      const scopes = [SCOPE, { tenant: 'acme', owner: 'bob' }, { tenant: 'globex', owner: 'alice' }]
      const outcomes = await Promise.all(scopes.map((scope) => claims.claim(scope, CLAIM, holderOf(newCall()))))
      expect(outcomes.map(({ kind }) => kind)).toEqual(['claimed', 'claimed', 'claimed'])
      expect(await claims.findCallId({ tenant: 'globex', owner: 'bob' }, CLAIM.keyDigest)).toBeNull()
    })

    test('can be claimed again once it was given free, and only by its holder', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock)
      const [first, second] = [newCall(), newCall()]
      await claims.claim(SCOPE, CLAIM, holderOf(first))
      await claims.release(SCOPE, CLAIM.keyDigest, second.callId)
      expect(await claims.findCallId(SCOPE, CLAIM.keyDigest)).toBe(first.callId)
      await claims.release(SCOPE, CLAIM.keyDigest, first.callId)
      expect(await claims.findCallId(SCOPE, CLAIM.keyDigest)).toBeNull()
      expect(await claims.claim(SCOPE, CLAIM, holderOf(second))).toMatchObject({ kind: 'claimed' })
    })

    test('whose holder never recorded its call is taken over, and the slow holder can record no more', async () => {
      const store = await openTestStore(place)
      const clock = new ManualClock()
      const claims = createClaims(store.link, clock, { takeoverAfterMs: 500 })
      const [slow, quick] = [newCall({ idempotency: CLAIM }), newCall({ idempotency: CLAIM })]
      await claims.claim(SCOPE, CLAIM, holderOf(slow))
      const claiming = claims.claim(SCOPE, CLAIM, holderOf(quick))
      clock.advance(499)
      // Whoever asks now, this one or one that asks once only, does not get it.
      const once = claims.claim(SCOPE, CLAIM, holderOf(newCall()), gaveUp())
      expect(await Promise.race([claiming, once])).toEqual({ kind: 'pending' })
      clock.advance(1)
      expect(await claiming).toMatchObject({ kind: 'claimed' })
      expect(await record(store, slow)).toBe('voided')
      expect(await record(store, quick)).toBe('recorded')
      expect(await store.log.find(slow.callId)).toBeNull()
      expect((await readEvents(store)).map(({ callId }) => callId)).toEqual([quick.callId, quick.callId])
      expect(await store.reader.snapshot(TRACE)).toMatchObject({ callCount: 1, openCalls: 1 })
      const again = await claims.claim(SCOPE, CLAIM, holderOf(newCall()))
      expect(again).toEqual({ kind: 'repeat', callId: quick.callId })
    })

    test('whose holder was paused until the claim had expired is another one then: the holder records no more', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock, { rememberMs: 60 })
      const slow = newCall()
      const claimed = await claims.claim(SCOPE, CLAIM, holderOf(slow))
      while ((await claims.findCallId(SCOPE, CLAIM.keyDigest)) !== null) await delay(5)
      const quick = newCall()
      expect(await claims.claim(SCOPE, CLAIM, holderOf(quick))).toMatchObject({ kind: 'claimed' })
      expect(await record(store, quick)).toBe('recorded')
      const late = { ...slow, idempotency: { ...CLAIM, ...claimed } }
      expect(await record(store, late)).toBe('voided')
      expect((await readEvents(store)).map(({ callId }) => callId)).toEqual([quick.callId, quick.callId])
      expect(await record(store, { ...late, parentCallId: quick.callId })).toBe('voided')
      // Recorded in time, and sent again since the answer was lost: that is the same answer, however late it comes.
      expect(await record(store, { ...quick, idempotency: late.idempotency })).toBe('recorded')
    })

    test('is waited for no longer than its caller waits', async () => {
      const store = await openTestStore(place)
      let asked = 0
      const run: RedisLink['run'] = (...step) => {
        asked++
        return store.link.run(...step)
      }
      const claims = createClaims({ ...store.link, run }, systemClock)
      await claims.claim(SCOPE, CLAIM, holderOf(newCall()))
      const giveUp = new StopSwitch()
      const claiming = claims.claim(SCOPE, CLAIM, holderOf(newCall()), giveUp)
      const askedAgain = async () => {
        while (asked < 5) await delay(5)
        return 'waits'
      }
      expect(await Promise.race([claiming, askedAgain()])).toBe('waits')
      giveUp.abort()
      expect(await claiming).toEqual({ kind: 'pending' })
    })

    test('is remembered anew while its call goes on, and for its own call alone', async () => {
      const store = await openTestStore(place)
      const claims = createClaims(store.link, systemClock, { rememberMs: 300_000 })
      const call = newCall()
      await createClaims(store.link, systemClock, { rememberMs: 60_000 }).claim(SCOPE, CLAIM, holderOf(call))
      const rest = () => store.link.commands.pttl(store.link.keys.claim(SCOPE, CLAIM.keyDigest))
      await claims.extend(SCOPE, CLAIM.keyDigest, newCall().callId)
      expect(await rest()).toBeLessThanOrEqual(60_000)
      await claims.extend(SCOPE, CLAIM.keyDigest, call.callId)
      expect(await rest()).toBeGreaterThan(290_000)
    })

    test('runs at most one call when holders are slow and many take over at random', async () => {
      const store = await openTestStore(place)
      const other = await openTestStore(place, { prefix: store.prefix })
      for (let round = 0; round < 20; round++) {
        const claim = { keyDigest: `k-${round}`, payloadDigest: 'p' }
        const trace = { ...TRACE, traceId: `trace-${round}` }
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, async (_, at): Promise<ClaimOutcome | Awaited<ReturnType<typeof record>>> => {
            const own = at % 2 === 0 ? store : other
            const call = newCall({ trace, idempotency: claim })
            const claims = createClaims(own.link, systemClock, { takeoverAfterMs: 5 })
            const outcome = await claims.claim(SCOPE, claim, holderOf(call))
            if (outcome.kind !== 'claimed') return outcome
            await delay(randomInt(12))
            return record(own, call)
          }),
        )
        expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
        expect(await readEvents(store, trace)).toHaveLength(2)
      }
    }, 15_000)
  })
}
