import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { watchTrace } from './event-reader.js'
import { callTool, getJson, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, type SteeredRun, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

interface EventPage {
  readonly items: readonly { readonly id: string; readonly event: string; readonly data: JsonObject }[]
  readonly nextCursor?: string
}

const work = steeredTool('work')
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  hub = await runHub({ agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } } })
})

afterAll(closeAll)

const page = async (path: string) => (await getJson<EventPage>(hub.url, `/traces/${path}`)).body

async function begin(traceId: string): Promise<SteeredRun> {
  await startCall(hub.url, 'work', {}, { traceId })
  return work.nextRun()
}

async function seqsOf(items: AsyncIterable<{ readonly data: { readonly seq: number } }>): Promise<number[]> {
  const seqs: number[] = []
  for await (const { data } of items) seqs.push(data.seq)
  return seqs
}

describe('a page of events', () => {
  test('begins with the event that is named, and holds what the stream holds', async () => {
    await callTool(hub.url, 'echo', { text: 'ü "quoted"\u2028' }, { traceId: 'paged' })
    const reader = await watchTrace(hub.url, 'paged/events')
    await reader.over
    const whole = await page('paged/events')
    const streamed = reader.events.slice(0, -1).map(({ id, event, data }) => ({ id, event, data }))
    expect(whole).toEqual({ items: streamed })
    for (const [at, { id }] of whole.items.entries()) {
      expect((await page(`paged/events?from=${id}`)).items).toEqual(whole.items.slice(at))
      expect((await page(`paged/events?after=${id}`)).items).toEqual(whole.items.slice(at + 1))
    }
    const second = await page(`paged/events?from=${whole.items[1]?.id}&limit=2`)
    expect(second).toEqual({ items: whole.items.slice(1, 3), nextCursor: whole.items[2]?.id })
    expect((await page(`paged/events?from=${whole.items[1]?.id}&event=complete`)).items).toHaveLength(1)
  })

  test('is cut where it would be too large to hold, and goes on behind the cut', async () => {
    const CALLS = 45
    for (let at = 0; at < CALLS; at++) {
      await callTool(hub.url, 'echo', { text: 'x'.repeat(26_000) }, { traceId: 'large' })
    }
    const first = await page('large/events?limit=1000')
    expect(JSON.stringify(first.items).length).toBeGreaterThan(1.5 * 1024 ** 2)
    expect(first.items.length).toBeLessThan(4 * CALLS)
    expect(first.nextCursor).toBe(first.items.at(-1)?.id)
    const second = await page(`large/events?limit=1000&after=${first.nextCursor}`)
    const seqs = [...first.items, ...second.items].map(({ data }) => data.seq)
    expect(seqs).toEqual(Array.from({ length: 4 * CALLS }, (_, at) => at + 1))
    expect(second.nextCursor).toBeUndefined()
  })

  test('says in its head where the log goes on, and nothing where it may not', async () => {
    await callTool(hub.url, 'echo', {}, { traceId: 'headed' })
    const ask = (query: string) => fetch(`${hub.url}/traces/headed/events${query}`)
    const part = await ask('?limit=2')
    const { nextCursor } = (await part.json()) as EventPage
    expect(nextCursor).toMatch(/^2-/)
    expect(part.headers.get('SyncHub-Next-Cursor')).toBe(nextCursor)
    expect((await ask(`?after=${nextCursor}`)).headers.has('SyncHub-Next-Cursor')).toBe(false)
  })

  test.each([
    ['nonsense', 'invalid'],
    ['900-1', 'future'],
    ['1-1', 'replaced'],
  ])('does not go on after %s, which is no event of the log', async (id, reason) => {
    await callTool(hub.url, 'echo', {}, { traceId: 'after' })
    const answer = await getJson(hub.url, `/traces/after/events?after=${id}`)
    expectProblem(answer, 'INVALID_PARAMS')
    expect(answer.body.error?.data).toMatchObject({ path: 'after', detail: expect.stringContaining(reason) })
  })

  test.each([
    ['nonsense', 'invalid'],
    ['900-1', 'future'],
    ['1-1', 'replaced'],
  ])('does not begin with %s, which is no event of the log', async (id, reason) => {
    await callTool(hub.url, 'echo', {}, { traceId: 'placed' })
    const answer = await getJson(hub.url, `/traces/placed/events?from=${id}`)
    expectProblem(answer, 'INVALID_PARAMS')
    expect(answer.body.error?.data).toMatchObject({ path: 'from', detail: expect.stringContaining(reason) })
  })

  test('is the only form that begins with an event: a stream goes on after one', async () => {
    await callTool(hub.url, 'echo', {}, { traceId: 'streamed' })
    const answer = await getJson(hub.url, '/traces/streamed/events?from=1-1', { Accept: 'text/event-stream' })
    expectProblem(answer, 'INVALID_PARAMS')
  })
})

describe('a replay', () => {
  const client = () => createClient({ baseUrl: hub.url })

  test('plays a long trace over many pages, and runs nothing', async () => {
    const run = await begin('long')
    for (let step = 1; step <= 1200; step++) run.ctx.progress({ progress: step })
    run.complete()
    await until(async () => (await getJson<{ state: string }>(hub.url, '/traces/long')).body.state === 'completed')
    const { body } = await getJson<{ lastSeq: number }>(hub.url, '/traces/long')
    const runs = work.runs.length
    const seqs = await seqsOf(client().replay('long', { speed: 'max' }))
    expect(seqs).toEqual(Array.from({ length: body.lastSeq }, (_, at) => at + 1))
    expect(work.runs).toHaveLength(runs)
    expect((await getJson<{ lastSeq: number }>(hub.url, '/traces/long')).body.lastSeq).toBe(body.lastSeq)
  })

  test('keeps the recorded timing', async () => {
    const run = await begin('timed')
    run.complete()
    await until(async () => (await getJson<{ state: string }>(hub.url, '/traces/timed')).body.state === 'completed')
    const { items } = await page('timed/events')
    const instants = items.map(({ data }) => Date.parse(String(data.at)))
    const sleeps: number[] = []
    let nowMs = 0
    const clock = {
      now: () => nowMs,
      sleep: async (delayMs: number) => {
        sleeps.push(delayMs)
        nowMs += delayMs
      },
    }
    await seqsOf(client().replay('timed', { clock }))
    expect(sleeps.reduce((sum, delayMs) => sum + delayMs, 0)).toBe((instants.at(-1) ?? 0) - (instants[0] ?? 0))
  })

  test('of a trace that still runs ends where its log ends', async () => {
    const run = await begin('running')
    run.ctx.progress({ progress: 1 })
    await until(async () => (await getJson<{ lastSeq: number }>(hub.url, '/traces/running')).body.lastSeq === 4)
    const { items } = await page('running/events')
    const seqs = await seqsOf(client().replay('running', { speed: 'max', from: items[1]?.id }))
    expect(seqs).toEqual([2, 3, 4])
    run.complete()
  })
})
