import { randomInt } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type NewCall, transitionOf } from '@synchub/core'
import { type CallNode, type CallState, isOpenState, type TraceView } from '@synchub/protocol'
import {
  CANCELLED,
  complete,
  FAILED,
  newCall,
  progress,
  RECEIVED,
  type ReadEvent,
  readEvents,
  recordRunning,
  started,
  TRACE,
} from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, type TestStore } from '../place/test-store.js'

const STEPS = 250

/** What a trace looks like at one instant. */
export function describeSnapshots(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a snapshot', () => {
    test('is null where there is no trace', async () => {
      const store = await openTestStore(place)
      expect(await store.reader.snapshot(TRACE)).toBeNull()
    })

    test('shows at every moment of random writes just what the events up to its cursor tell', async () => {
      const store = await openTestStore(place)
      const writer = await openTestStore(place, { prefix: store.prefix })
      const views: TraceView[] = []
      let writing = true
      const reading = (async () => {
        while (writing) {
          const view = await store.reader.snapshot(TRACE)
          if (view !== null) views.push(view)
        }
      })()
      await writeAtRandom(writer)
      writing = false
      await reading
      const events = await readEvents(store)
      expect(views.length).toBeGreaterThan(20)
      for (const view of views) {
        const told = events.slice(0, view.lastSeq)
        expect(view.cursor).toBe(told.at(-1)?.id)
        const shown = flatten(view.calls)
        expect(
          new Map(
            shown.map(({ callId, state, attempt, progress: at }) => [
              callId,
              { state, attempt, progress: at?.progress },
            ]),
          ),
        ).toEqual(foldCalls(told))
        expect(view.openCalls).toBe(shown.filter(({ state }) => isOpenState(state)).length)
        expect(view.callCount).toBe(shown.length)
      }
    }, 20_000)

    test('shows calls as a tree, each under the call whose agent made it', async () => {
      const store = await openTestStore(place)
      const root = await recordRunning(store, { tool: 'plan' })
      const child = await recordRunning(store, { parentCallId: root.callId, tool: 'schema', caller: 'SyncBoot' })
      const grandchild = await recordRunning(store, { parentCallId: child.callId, tool: 'sql' })
      const sibling = await recordRunning(store, { parentCallId: root.callId, tool: 'report' })
      const stranger = await recordRunning(store, { parentCallId: newCall().callId, tool: 'lost' })
      const view = await store.reader.snapshot(TRACE)
      const node = (call: NewCall, children: unknown[]) =>
        expect.objectContaining({ callId: call.callId, tool: call.tool, children })
      expect(view?.calls).toEqual([
        node(root, [node(child, [node(grandchild, [])]), node(sibling, [])]),
        node(stranger, []),
      ])
      expect(view).toMatchObject({
        rootTool: 'plan',
        caller: 'SyncVerse',
        callCount: 5,
        truncated: false,
        owner: 'alice',
      })
      expect(view?.links).toEqual({ self: '/traces/trace-1', events: '/traces/trace-1/events' })
    })

    test('gives the cursor of its last event even where a tool is named like a field of the record', async () => {
      const store = await openTestStore(place)
      await recordRunning(store, { tool: 'id', caller: 'seq' })
      const view = await store.reader.snapshot(TRACE)
      expect(view).toMatchObject({ rootTool: 'id', caller: 'seq', cursor: (await readEvents(store)).at(-1)?.id })
    })

    test('says that it is truncated beyond 1000 calls', async () => {
      const store = await openTestStore(place)
      await Promise.all(Array.from({ length: 1000 }, () => recordRunning(store)))
      const whole = await store.reader.snapshot(TRACE)
      expect([whole?.truncated, whole?.callCount, flatten(whole?.calls ?? []).length]).toEqual([false, 1000, 1000])
      await recordRunning(store)
      const cut = await store.reader.snapshot(TRACE)
      expect([cut?.truncated, cut?.callCount, flatten(cut?.calls ?? []).length]).toEqual([true, 1001, 1000])
    }, 20_000)
  })
}

async function writeAtRandom(store: TestStore): Promise<void> {
  const open: NewCall[] = []
  const steps: Promise<unknown>[] = []
  for (let step = 1; step <= STEPS; step++) {
    const call = open[randomInt(open.length + 1)]
    if (call === undefined) {
      const next = newCall({ mode: 'direct' })
      open.push(next)
      steps.push(store.log.record(next, [RECEIVED, { event: 'accepted', data: {} }, started(1)]))
    } else {
      const [change = progress(step)] = [
        undefined,
        undefined,
        undefined,
        complete(),
        FAILED,
        CANCELLED,
        started(0),
      ].slice(randomInt(7))
      const opensAttempt = change.event === 'started'
      if (change.event !== 'progress' && !opensAttempt) open.splice(open.indexOf(call), 1)
      steps.push(store.log.change({ call, events: [change], opensAttempt }))
    }
    // A few steps in flight, so that readings fall between any two of them.
    if (step % 5 === 0) await Promise.all(steps.splice(0))
  }
  await Promise.all(steps)
}

interface ToldCall {
  readonly state: CallState
  readonly attempt: number
  readonly progress: number | undefined
}

/** The calls as one knows them who has read the events alone. */
function foldCalls(events: readonly ReadEvent[]): Map<string, ToldCall> {
  const calls = new Map<string, ToldCall>()
  for (const { callId, event, data } of events) {
    const call = calls.get(callId) ?? { state: 'received', attempt: 0, progress: undefined }
    if (event === 'received') calls.set(callId, call)
    else if (event !== 'resolved') {
      const state = transitionOf(event).to
      const next = event === 'started' ? { attempt: call.attempt + 1, progress: undefined } : {}
      const reported = event === 'progress' ? { progress: Number(data.progress) } : {}
      calls.set(callId, { ...call, ...next, ...reported, state })
    }
  }
  return calls
}

function flatten(calls: readonly CallNode[]): CallNode[] {
  return calls.flatMap((call) => [call, ...flatten(call.children)])
}
