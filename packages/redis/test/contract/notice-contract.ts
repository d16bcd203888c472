import { afterEach, describe, expect, test } from '@jest/globals'
import { type ChangeNotice, type ChangeNotices, type NoticeLoss, openChangeNotices } from '../../src/index.js'
import {
  ACCEPTED,
  CANCELLED,
  complete,
  FAILED,
  newCall,
  progress,
  RECEIVED,
  REFUSED,
  recordEnded,
  recordQueued,
  started,
  TRACE,
} from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { atEnd, closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { expectNoChannels, openTestStore, sever, type TestStore } from '../place/test-store.js'

const TICK_MS = 250

interface Listener {
  /** What came with each tick. */
  readonly ticks: readonly (readonly ChangeNotice[])[]
  readonly losses: readonly NoticeLoss[]
  stop(): void
}

async function listen(notices: ChangeNotices, tenant: string = TRACE.tenant): Promise<Listener> {
  const ticks: (readonly ChangeNotice[])[] = []
  const losses: NoticeLoss[] = []
  const stop = await notices.listen(tenant, {
    deliver: (batch) => void ticks.push(batch.notices),
    lost: (loss) => void losses.push(loss),
  })
  return { ticks, losses, stop }
}

function openNotices({ link, subscriptions }: TestStore, clock: ManualClock): ChangeNotices {
  const notices = openChangeNotices({
    keys: link.keys,
    subscriptions,
    clock,
    tickMs: TICK_MS,
    onFailure(thrown) {
      throw thrown
    },
  })
  atEnd(() => notices.close())
  return notices
}

/** Settles when all that was published before has arrived: what is sent last through the same connection comes last. */
async function arrived({ link, subscriptions, prefix }: TestStore): Promise<void> {
  let come = () => {}
  const came = new Promise<void>((resolve) => {
    come = resolve
  })
  const stop = await subscriptions.add(`${prefix}:arrived`, come)
  await link.commands.publish(`${prefix}:arrived`, '')
  await came
  await stop()
}

/** What the notices of changes must hold, wherever the store is. */
export function describeNotices(place: RedisPlace): void {
  afterEach(closeAll)

  const open = async () => {
    const clock = new ManualClock()
    const store = await openTestStore(place)
    return { clock, store, notices: openNotices(store, clock) }
  }

  describe('the notices of a tenant', () => {
    test('tell where a trace stands after each change of a state, and nothing of progress and retries', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices)
      const states: unknown[] = []
      const step = async (change: () => Promise<unknown>) => {
        await change()
        await arrived(store)
        clock.advance(TICK_MS)
        states.push(heard.ticks.at(-1)?.map(({ seq, state }) => [seq, state]))
      }
      const call = newCall()
      await step(() => store.log.record(call, [RECEIVED, ACCEPTED]))
      await step(() => store.log.change({ call, events: [started(1)], opensAttempt: true }))
      await store.log.change({ call, attempt: 1, events: [progress(1)] })
      const retrying = { event: 'retrying', data: { attempt: 1, delayMs: 1, reason: 'again' } } as const
      await store.log.change({ call, attempt: 1, events: [retrying, started(2)], opensAttempt: true })
      await step(() => store.log.change({ call, attempt: 2, events: [complete()] }))
      expect(states).toEqual([[[2, 'running']], [[3, 'running']], [[7, 'completed']]])
      expect(heard.ticks).toHaveLength(3)
      expect(heard.ticks[0]).toEqual([{ traceId: TRACE.traceId, owner: TRACE.owner, seq: 2, state: 'running' }])
    })

    test('name the worst that a call of the trace ended in, once none is open', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices)
      const [one, two] = [await recordQueued(store), await recordQueued(store)]
      await store.log.record(newCall(), [RECEIVED, REFUSED])
      await store.log.change({ call: one, events: [FAILED] })
      await arrived(store)
      clock.advance(TICK_MS)
      await store.log.change({ call: two, events: [CANCELLED] })
      await arrived(store)
      clock.advance(TICK_MS)
      expect(heard.ticks.map((tick) => tick.map(({ state }) => state))).toEqual([['running'], ['failed']])
    })

    test('do not take a tool that answered that it failed for a success', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices)
      await recordEnded(store, complete())
      await recordEnded(store, complete('out of paper', { isError: true }))
      await arrived(store)
      clock.advance(TICK_MS)
      expect(heard.ticks.map((tick) => tick.map(({ state }) => state))).toEqual([['tool_failed']])
    })

    test('come once for each trace in a tick', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices)
      for (let round = 0; round < 5; round++) {
        await recordQueued(store)
        await recordQueued(store, { trace: { ...TRACE, traceId: 'other' } })
      }
      await arrived(store)
      expect(heard.ticks).toEqual([])
      clock.advance(TICK_MS)
      expect(heard.ticks.map((tick) => tick.map(({ traceId, seq }) => [traceId, seq]))).toEqual([
        [
          [TRACE.traceId, 10],
          ['other', 10],
        ],
      ])
    })

    test('say nothing of another tenant', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices, 'beta')
      await recordQueued(store)
      await recordQueued(store, { trace: { ...TRACE, tenant: 'beta', traceId: 'theirs' } })
      await arrived(store)
      clock.advance(TICK_MS)
      expect(heard.ticks.flat().map(({ traceId }) => traceId)).toEqual(['theirs'])
    })

    test('say that some are missing once the subscription is back after a loss', async () => {
      const { store, notices } = await open()
      const heard = await listen(notices)
      const restored = new Promise<void>((resolve) => {
        store.subscriptions.onInterruption({ lost: () => undefined, restored: resolve })
      })
      await sever(store.link.subscriber)
      await restored
      expect(heard.losses).toEqual(['interrupted'])
    })

    test('are dropped, and that is said, where more traces change in a tick than are kept', async () => {
      const { clock, store, notices } = await open()
      const heard = await listen(notices)
      const channel = store.link.keys.noticeChannel(TRACE.tenant)
      const names = Array.from({ length: 10_001 }, (_, at) => `alice/trace-${at}`)
      // In parts, each of which even a busy machine answers in time.
      while (names.length > 0) {
        const part = names.splice(0, 500)
        await Promise.all(part.map((name) => store.link.commands.publish(channel, `${name}\n1\nrunning`)))
      }
      await recordQueued(store, { trace: { ...TRACE, traceId: 'last' } })
      await arrived(store)
      clock.advance(TICK_MS)
      expect(heard.losses).toEqual(['overflow'])
      expect(heard.ticks.flat().map(({ traceId }) => traceId)).toEqual(['last'])
    })

    test('leave no subscription behind once nobody listens', async () => {
      const { store, notices } = await open()
      const heard = [await listen(notices), await listen(notices), await listen(notices, 'beta')]
      for (const { stop } of heard) stop()
      await expectNoChannels(store)
    })
  })
}
