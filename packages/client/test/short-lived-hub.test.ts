import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import { CALL_ID, COMPLETED, callView, END_BYTES, progressBytes, TRACE_ID } from './hub-answers.js'

const BASE_URL = 'http://hub.test'

/** When a hub is up, in ms from now. */
type UpTime = readonly [fromMs: number, untilMs: number]

/** The network before a hub that is up at these times only. The first event stream is cut; later ones are at their end. */
function hubThatIsUp(...upTimes: readonly UpTime[]): typeof fetch {
  const beganAtMs = performance.now()
  let streams = 0
  return (input) => {
    const nowMs = performance.now() - beganAtMs
    if (!upTimes.some(([fromMs, untilMs]) => nowMs >= fromMs && nowMs < untilMs)) {
      const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      return Promise.reject(new TypeError('fetch failed', { cause }))
    }
    if (input === `${BASE_URL}/rpc`) {
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id: 1, result: callView('completed', COMPLETED) }))
    }
    const body = streams++ === 0 ? progressBytes(1) : END_BYTES
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
}

/** How long something takes, on the clock of the test; at most a bound. */
async function timed(work: Promise<unknown>, boundMs: number): Promise<number> {
  const beganAtMs = performance.now()
  let tookMs = Number.POSITIVE_INFINITY
  const ended = work.then(() => {
    tookMs = performance.now() - beganAtMs
  })
  for (let atMs = 0; atMs < boundMs && tookMs > boundMs; atMs += 100) await jest.advanceTimersByTimeAsync(100)
  if (tookMs <= boundMs) await ended
  return tookMs
}

async function watchToEnd(hub: typeof fetch, signal?: AbortSignal): Promise<number[]> {
  const seqs: number[] = []
  const client = createClient({ baseUrl: BASE_URL, fetch: hub })
  for await (const item of client.watch(TRACE_ID, { signal })) if (item.kind === 'event') seqs.push(item.data.seq)
  return seqs
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] })
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('a hub that is up for a short time', () => {
  test('is found by a watcher, which once slept through all its lives until its patience ended', async () => {
    // As a crash run had it: the hub is killed before the end is sent, and three times more, and Redis is once.
    jest.spyOn(Math, 'random').mockReturnValue(0.454)
    const hub = hubThatIsUp([0, 1], [5059, 7550], [10_381, 13_120], [19_347, 28_000], [30_000, 31_560], [35_339, 1e9])
    const patience = new AbortController()
    const watch = watchToEnd(hub, patience.signal)
    expect(await timed(watch, 42_760)).toBeLessThan(28_000)
    patience.abort()
    expect(await watch).toEqual([1])
  })

  test.each([0, 0.5, 0.999])('is found within 6 s of its return after a long outage (jitter %d)', async (jitter) => {
    jest.spyOn(Math, 'random').mockReturnValue(jitter)
    const [goneMs, backMs] = [1, 120_000]
    const hub = hubThatIsUp([0, goneMs], [backMs, backMs + 6000])
    const { wait } = createClient({ baseUrl: BASE_URL, fetch: hubThatIsUp([backMs, backMs + 6000]) })
    const work = Promise.all([watchToEnd(hub), wait({ callId: CALL_ID, traceId: TRACE_ID })])
    expect(await timed(work, backMs + 20_000)).toBeLessThanOrEqual(backMs + 6000)
  })
})
