import type { ServerResponse } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { createClient, type ReplayClock, type ReplayOptions, type TraceEventItem } from '../src/index.js'
import { CALL_ID, failureCode, sendError, sendJson, TRACE_ID } from './hub-answers.js'
import { type ReceivedRequest, type ScriptedHub, scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

/** A time that passes only where somebody sleeps. */
class PlayedTime implements ReplayClock {
  readonly sleeps: number[] = []
  #nowMs = 5000

  now(): number {
    return this.#nowMs
  }

  async sleep(delayMs: number): Promise<void> {
    this.sleeps.push(delayMs)
    this.#nowMs += delayMs
  }

  /** The consumer takes its time. */
  pass(durationMs: number): void {
    this.#nowMs += durationMs
  }
}

interface Item {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** An event that was recorded so many ms after the first one. */
function recorded(seq: number, afterMs: number | string, event = 'progress'): Item {
  const at = typeof afterMs === 'string' ? afterMs : new Date(Date.UTC(2026, 0, 1) + afterMs).toISOString()
  const data = { seq, at, traceId: TRACE_ID, callId: CALL_ID, tool: 'tool', token: 'prg-01', progress: seq }
  return { id: `${seq}-a`, event, data }
}

/** Sends a page of a log, as the hub cuts it. */
function sendPage(response: ServerResponse, log: readonly Item[], { query }: ReceivedRequest, pageSize: number): void {
  const from = query.get('from')
  const after = query.get('after')
  const start = log.findIndex(({ id }) => id === (from ?? after)) + (from === null && after !== null ? 1 : 0)
  const items = log.slice(Math.max(0, start), Math.max(0, start) + pageSize)
  const nextCursor = items.length === pageSize ? items.at(-1)?.id : undefined
  const headers = nextCursor === undefined ? {} : { 'SyncHub-Next-Cursor': nextCursor }
  sendJson(response, 200, { items, ...(nextCursor === undefined ? {} : { nextCursor }) }, headers)
}

const playHub = (log: readonly Item[], pageSize = 500) =>
  startHub((request, response) => sendPage(response, log, request, pageSize))

const replay = (at: ScriptedHub, options: ReplayOptions = {}) =>
  createClient({ baseUrl: at.url }).replay(TRACE_ID, options)

async function seqs(items: AsyncIterable<TraceEventItem>): Promise<number[]> {
  const collected: number[] = []
  for await (const { data } of items) collected.push(data.seq)
  return collected
}

const THREE = [recorded(1, 0, 'received'), recorded(2, 400, 'started'), recorded(3, 1900)]

describe('replay', () => {
  test('plays every event in order with the pauses that were between them', async () => {
    const clock = new PlayedTime()
    const at = await playHub(THREE)
    expect(await seqs(replay(at, { clock }))).toEqual([1, 2, 3])
    expect(clock.sleeps).toEqual([400, 1500])
    expect(at.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /traces/${TRACE_ID}/events`,
      `GET /traces/${TRACE_ID}/events`,
    ])
    expect(at.requests.every(({ headers }) => headers.accept === 'application/json')).toBe(true)
  })

  test.each([
    [10, [40, 150]],
    [0.5, [800, 3000]],
    ['max', []],
  ] as const)('plays at speed %s', async (speed, sleeps) => {
    const clock = new PlayedTime()
    expect(await seqs(replay(await playHub(THREE), { clock, speed }))).toEqual([1, 2, 3])
    expect(clock.sleeps).toEqual(sleeps)
  })

  test('cuts long gaps, and waits for nothing where time ran backwards or is none', async () => {
    const clock = new PlayedTime()
    const log = [
      recorded(1, 1000),
      recorded(2, 0),
      recorded(3, 900),
      recorded(4, 'long ago'),
      recorded(5, 1100),
      recorded(6, 90 * 24 * 3_600_000),
      recorded(7, 90 * 24 * 3_600_000 + 50),
    ]
    expect(await seqs(replay(await playHub(log), { clock, maxGapMs: 2000 }))).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(clock.sleeps).toEqual([100, 2000, 50])
  })

  test('never sleeps longer than a timer holds, whatever gap is allowed', async () => {
    const clock = new PlayedTime()
    const log = [recorded(1, 0), recorded(2, 3 * 365 * 24 * 3_600_000)]
    await seqs(replay(await playHub(log), { clock, maxGapMs: Number.POSITIVE_INFINITY, speed: 0.001 }))
    expect(clock.sleeps).toEqual([2 ** 31 - 1])
  })

  test('counts what the consumer took, and gives no burst to one that was away', async () => {
    const clock = new PlayedTime()
    const log = [recorded(1, 0), recorded(2, 100), recorded(3, 200), recorded(4, 300)]
    const busyMs = [30, 1000, 0, 0]
    for await (const { data } of replay(await playHub(log), { clock })) clock.pass(busyMs[data.seq - 1] ?? 0)
    expect(clock.sleeps).toEqual([70, 100])
  })

  test('begins with the event that is named', async () => {
    const clock = new PlayedTime()
    const at = await playHub(THREE)
    expect(await seqs(replay(at, { clock, from: '2-a', owner: 'alice' }))).toEqual([2, 3])
    expect(clock.sleeps).toEqual([1500])
    expect(at.requests.map(({ query }) => query.toString())).toEqual([
      'from=2-a&limit=1000&owner=alice',
      'after=3-a&limit=1000&owner=alice',
    ])
  })

  test('fetches one page ahead, and never more', async () => {
    const log = Array.from({ length: 7 }, (_, index) => recorded(index + 1, index))
    const at = await playHub(log, 2)
    const fetched: number[] = []
    const items = replay(at, { speed: 'max' })
    for await (const { data } of items) {
      // The page ahead is on its way by now, or arrives while this one is shown.
      while (at.requests.length < Math.min(Math.ceil(data.seq / 2) + 1, 4)) await new Promise(setImmediate)
      fetched.push(at.requests.length)
    }
    expect(fetched).toEqual([2, 2, 3, 3, 4, 4, 4])
    expect(at.requests.map(({ query }) => query.get('after'))).toEqual([null, '2-a', '4-a', '6-a', '7-a'])
  })

  test('plays what was recorded meanwhile, and ends where the log ends', async () => {
    const log = [...THREE]
    const at = await playHub(log)
    const shown: number[] = []
    for await (const { data } of replay(at, { speed: 'max' })) {
      shown.push(data.seq)
      if (data.seq === 3) log.push(recorded(4, 2000))
    }
    expect(shown).toEqual([1, 2, 3, 4])
  })

  test('leaves out events of a later version, and goes on behind them', async () => {
    const at = await playHub([recorded(1, 0), recorded(2, 5, 'approval_requested'), recorded(3, 10)], 2)
    expect(await seqs(replay(at, { speed: 'max' }))).toEqual([1, 3])
  })

  test('asks again through an outage', async () => {
    let outages = 0
    const at = await startHub((request, response) => {
      if (request.query.has('after') && outages++ === 0) return sendError(response, 'HUB_UNAVAILABLE')
      sendPage(response, THREE, request, 2)
    })
    expect(await seqs(replay(at, { speed: 'max' }))).toEqual([1, 2, 3])
    expect(at.requests.map(({ query }) => query.get('after'))).toEqual([null, '2-a', '2-a', '3-a'])
  })

  test.each(['NOT_FOUND', 'FORBIDDEN', 'INVALID_PARAMS'] as const)(
    'ends with what the hub refuses: %s',
    async (code) => {
      const at = await startHub((_request, response) => sendError(response, code))
      expect(await failureCode(seqs(replay(at)))).toBe(code)
    },
  )

  test('fails after the events before it where a later page is refused', async () => {
    const at = await startHub((request, response) => {
      if (request.query.has('after')) return sendError(response, 'INVALID_PARAMS')
      sendPage(response, THREE, request, 2)
    })
    const shown: number[] = []
    const play = async () => {
      for await (const { data } of replay(at, { speed: 'max' })) shown.push(data.seq)
    }
    expect(await failureCode(play())).toBe('INVALID_PARAMS')
    expect(shown).toEqual([1, 2])
  })

  test.each([
    ['no page', { events: [] }],
    ['an event without an id', { items: [{ event: 'progress', data: {} }] }],
    ['an event that is not whole', { items: [{ id: '1-a', event: 'progress', data: {} }] }],
  ])('takes %s for no hub of ours', async (_what, body) => {
    const at = await startHub((_request, response) => sendJson(response, 200, body))
    expect(await failureCode(seqs(replay(at)))).toBe('CONTRACT_BROKEN')
  })

  test('ends quietly at the signal, also within a pause', async () => {
    const abort = new AbortController()
    const clock: ReplayClock = {
      now: () => 0,
      sleep: (_delayMs, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve())
          abort.abort()
        }),
    }
    expect(await seqs(replay(await playHub(THREE), { clock, signal: abort.signal }))).toEqual([1])
  })

  test('stops at once when it is left in a pause', async () => {
    let slept = () => {}
    const sleeping = new Promise<void>((resolve) => {
      slept = resolve
    })
    const clock: ReplayClock = {
      now: () => 0,
      sleep: (_delayMs, signal) => {
        slept()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
    }
    const items = replay(await playHub(THREE), { clock })
    await items.next()
    const pending = items.next()
    await sleeping
    await items.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
  })

  test.each([
    { speed: 0 },
    { speed: -1 },
    { speed: Number.NaN },
    { speed: Number.POSITIVE_INFINITY },
    { maxGapMs: -1 },
  ])('refuses %j before anything is asked', async (options) => {
    const at = await playHub(THREE)
    expect(() => replay(at, options)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
    expect(at.requests).toHaveLength(0)
  })

  test('keeps the pauses by the real clock too', async () => {
    const startedMs = performance.now()
    expect(await seqs(replay(await playHub([recorded(1, 0), recorded(2, 400)]), { speed: 10 }))).toEqual([1, 2])
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(39)
  })
})
