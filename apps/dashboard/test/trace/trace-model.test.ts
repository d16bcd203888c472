import { describe, expect, test } from '@jest/globals'
import type { TraceEventItem } from '@synchub/client'
import { formatOf } from '../../src/language/written-format.js'
import { summarizeEvent } from '../../src/pages/trace/log/event-summary.js'
import { toRows } from '../../src/pages/trace/model/call-tree.js'
import { causeOf } from '../../src/pages/trace/model/trace-cause.js'
import { TraceModel } from '../../src/pages/trace/model/trace-model.js'
import { playOn } from '../../src/pages/trace/replay/player.js'
import { ReplayModel } from '../../src/pages/trace/replay/replay-model.js'
import { marksOf, placeOn } from '../../src/pages/trace/timeline/time-axis.js'

const BEGAN_MS = Date.parse('2026-01-01T00:00:00.000Z')
let lastSeq = 0

function event(name: string, afterMs: number, more: Record<string, unknown> = {}): TraceEventItem {
  const seq = ++lastSeq
  const at = new Date(BEGAN_MS + afterMs).toISOString()
  const data = { seq, at, traceId: 't', callId: 'root', tool: 'plan', ...more }
  return { kind: 'event', id: `${seq}-1`, event: name, data } as TraceEventItem
}

function story(): TraceEventItem[] {
  lastSeq = 0
  return [
    event('received', 0, { caller: 'Shop', agent: 'Planner' }),
    event('accepted', 0),
    event('started', 100, { attempt: 1 }),
    event('progress', 200, { progress: 30, total: 100, message: 'first try' }),
    event('received', 250, {
      callId: 'child',
      tool: 'read',
      caller: 'Planner',
      agent: 'Library',
      parentCallId: 'root',
    }),
    event('refused', 250, {
      callId: 'child',
      tool: 'read',
      error: { code: -31006, message: 'no', data: { title: 'FORBIDDEN', detail: 'not yours' } },
    }),
    event('retrying', 300, { attempt: 1, delayMs: 50, reason: 'cut' }),
    event('started', 400, { attempt: 2 }),
    event('progress', 500, { progress: 10, total: 100 }),
    event('complete', 900, { progress: 100, total: 100, isError: false, executionTimeMs: 900 }),
  ]
}

function fold(events: readonly TraceEventItem[]): TraceModel {
  const model = new TraceModel()
  for (const each of events) model.apply(each)
  return model
}

describe('a trace that is folded from its events', () => {
  test('knows what somebody found out about a call that was given up, which still ended as it did', () => {
    lastSeq = 0
    const error = { code: -31005, message: 'lost', data: { title: 'OUTCOME_UNKNOWN', detail: 'lost' } }
    const events = [event('started', 0, { attempt: 1 }), event('unknown', 50, { error })]
    const model = fold([...events, event('resolved', 900, { by: 'kim', reason: 'it was written' })])
    const at = new Date(BEGAN_MS + 900).toISOString()
    expect(model.calls.get('root')).toMatchObject({
      state: 'unknown',
      endedMs: BEGAN_MS + 50,
      resolution: { at, by: 'kim', reason: 'it was written' },
    })
  })

  test('knows each attempt, why it was given up, and how the call ended', () => {
    const root = fold(story()).calls.get('root')
    expect(root?.attempts).toEqual([
      { number: 1, startedMs: BEGAN_MS + 100, endedMs: BEGAN_MS + 300, reason: 'cut' },
      { number: 2, startedMs: BEGAN_MS + 400, endedMs: BEGAN_MS + 900, reason: undefined },
    ])
    expect(root).toMatchObject({ state: 'completed', endedMs: BEGAN_MS + 900, caller: 'Shop', agent: 'Planner' })
  })

  test('begins progress anew with each attempt', () => {
    const events = story()
    expect(fold(events.slice(0, 4)).calls.get('root')).toMatchObject({ progress: 30, message: 'first try' })
    expect(fold(events.slice(0, 8)).calls.get('root')).toMatchObject({ progress: undefined, message: undefined })
  })

  test('is running while a call is open, and then the worst of its calls', () => {
    const events = story()
    expect(fold(events.slice(0, 9)).state).toBe('running')
    expect(fold(events).state).toBe('refused')
  })

  test('keeps a failure in words', () => {
    expect(fold(story()).calls.get('child')?.failure).toEqual({ code: 'FORBIDDEN', reason: 'not yours' })
  })

  test('is a tree, of which parts can be folded', () => {
    const model = fold(story())
    const shown = (folded: readonly string[]) =>
      toRows(model, new Set(folded)).map(({ call, depth, below }) => [call.callId, depth, below])
    expect(shown([])).toEqual([
      ['root', 0, 1],
      ['child', 1, 0],
    ])
    expect(shown(['root'])).toEqual([['root', 0, 1]])
  })
})

describe('a replay', () => {
  test('shows the trace as it stood, forwards and backwards', () => {
    const events = story()
    const past = new ReplayModel()
    expect(past.seek(events, BEGAN_MS + 220).calls.get('root')?.progress).toBe(30)
    expect(past.count).toBe(4)
    expect(past.seek(events, BEGAN_MS + 1000).calls.get('root')?.state).toBe('completed')
    expect(past.seek(events, BEGAN_MS + 120).calls.get('root')).toMatchObject({ state: 'running', progress: undefined })
    expect(past.count).toBe(3)
  })

  test('moves as fast as it is told, and waits two seconds at most', () => {
    const events = story()
    const state = { atMs: BEGAN_MS, events, count: 2, elapsedMs: 16 }
    expect(playOn({ ...state, speed: 1 })).toBe(BEGAN_MS + 16)
    expect(playOn({ ...state, speed: 10 })).toBe(BEGAN_MS + 160)
    const [first] = events
    if (first === undefined) throw new Error('no events')
    const hours = [first, event('accepted', 7_200_000)]
    expect(playOn({ ...state, events: hours, count: 1, speed: 1 })).toBe(BEGAN_MS + 7_200_000 - 2000)
  })

  test('takes no longer than some seconds at the highest speed, and ends with the events', () => {
    const events = story()
    let count = 0
    let frames = 0
    for (let atMs: number | undefined = BEGAN_MS; atMs !== undefined; frames++) {
      atMs = playOn({ atMs, events, count, elapsedMs: 16, speed: 'max' })
      while (atMs !== undefined && Date.parse(events[count]?.data.at ?? '9999') <= atMs) count++
    }
    expect(count).toBe(events.length)
    expect(frames).toBeLessThanOrEqual(events.length + 1)
  })
})

describe('a tool that ran and says that it failed', () => {
  const content = [
    { type: 'image', data: '' },
    { type: 'text', text: 'out of paper' },
  ]
  const told = (isError: boolean) => {
    lastSeq = 0
    return [
      event('started', 0, { attempt: 1 }),
      event('complete', 40, { progress: 100, total: 100, isError, executionTimeMs: 40, content }),
    ]
  }

  test('was shown as a success: it is the cause why its trace went wrong, with its reason in its result', () => {
    expect(causeOf(fold(told(true)).calls.values())).toMatchObject({ call: { callId: 'root' }, failure: undefined })
    expect(causeOf(fold(told(false)).calls.values())).toBeUndefined()
  })

  test('is no success of its trace, and says why', () => {
    const model = fold(told(true))
    expect([model.state, model.calls.get('root')?.toolReason]).toEqual(['tool_failed', 'out of paper'])
    expect(fold(told(false)).state).toBe('completed')
  })

  test('is told of by its event', () => {
    const words = (isError: boolean) =>
      told(isError).map((each) => summarizeEvent(each, formatOf('en'), 'The tool ran and failed'))
    expect(words(true)).toEqual(['#1', '40ms  The tool ran and failed'])
    expect(words(false)).toEqual(['#1', '40ms'])
  })
})

describe('the time axis', () => {
  test('puts instants between 0 and 100, and marks round steps', () => {
    const axis = { beginMs: 1000, endMs: 15_600 }
    expect(placeOn(axis, 1000)).toBe(0)
    expect(placeOn(axis, 8300)).toBe(50)
    expect(placeOn(axis, 99_000)).toBe(100)
    expect(marksOf(axis, 7)).toEqual([0, 5000, 10_000])
  })
})
