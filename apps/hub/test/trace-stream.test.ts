import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject, TraceView } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { type EventReader, namesOf, seqsOf, watchTrace } from './event-reader.js'
import { callTool, getJson, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, type SteeredRun, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

const work = steeredTool('work')
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } },
    streams: { lingerMs: 300 },
  })
})

afterAll(closeAll)

const watch = (path: string, headers = {}) => watchTrace(hub.url, path, headers)

async function begin(traceId: string): Promise<{ callId: string; run: SteeredRun }> {
  const callId = await startCall(hub.url, 'work', {}, { traceId })
  return { callId, run: await work.nextRun() }
}

const idOf = (reader: EventReader, at: number): string => String(reader.events[at]?.id)
const cursorOf = async (traceId: string) => (await getJson<TraceView>(hub.url, `/traces/${traceId}`)).body.cursor

describe('the stream of a trace', () => {
  test('begins with what has been, goes on live and ends when the trace is over', async () => {
    const { callId, run } = await begin('whole')
    run.ctx.progress({ progress: 1, total: 3, message: 'one' })
    await until(async () => (await getJson<TraceView>(hub.url, '/traces/whole')).body.lastSeq === 4)
    const reader = await watch('whole/events')
    await reader.count(4)
    run.ctx.progress({ progress: 2, total: 3, message: 'two' })
    await reader.count(5)
    run.complete({ structuredContent: { done: true } })
    await reader.over
    expect(namesOf(reader)).toEqual(['received', 'accepted', 'started', 'progress', 'progress', 'complete', 'end'])
    expect(seqsOf(reader)).toEqual([1, 2, 3, 4, 5, 6])
    for (const { id, data } of reader.events.slice(0, -1)) {
      expect(id).toMatch(new RegExp(`^${Number(data.seq)}-\\d+$`))
      expect(data).toMatchObject({ traceId: 'whole', callId, tool: 'work', at: expect.any(String) })
    }
    expect(reader.events.map(({ data }) => data)).toMatchObject([
      { caller: 'anonymous', agent: 'Agent' },
      {},
      { attempt: 1 },
      { token: 'prg-01', progress: 1, total: 3, message: 'one' },
      { token: 'prg-02', progress: 2, total: 3, message: 'two' },
      { token: 'prg-03', progress: 3, total: 3, result: { done: true }, isError: false },
      { traceId: 'whole' },
    ])
    expect(reader.events.at(-1)?.id).toBeUndefined()
    expect(reader.events.every(({ text }) => !text.includes('\n'))).toBe(true)
  })

  test('goes on after a cursor: exactly what came since, and the header beats the query', async () => {
    const { run } = await begin('resumed')
    const first = await watch('resumed/events')
    await first.count(3)
    first.close()
    const cursor = await cursorOf('resumed')
    expect(cursor).toBe(idOf(first, 2))
    for (let at = 1; at <= 5; at++) run.ctx.progress({ progress: at })
    run.complete()
    const byHeader = await watch('resumed/events?after=nonsense', { 'Last-Event-ID': cursor })
    const byQuery = await watch(`resumed/events?after=${cursor}`)
    await Promise.all([byHeader.over, byQuery.over])
    for (const reader of [byHeader, byQuery]) {
      expect(seqsOf(reader)).toEqual([4, 5, 6, 7, 8, 9])
      expect(namesOf(reader).at(-1)).toBe('end')
    }
  })

  test('keeps its cursor over reconnects in which nothing came', async () => {
    const { run } = await begin('idle')
    const cursor = await cursorOf('idle')
    for (let round = 0; round < 3; round++) {
      const reader = await watch('idle/events', { 'Last-Event-ID': cursor })
      reader.close()
    }
    run.ctx.progress({ progress: 1 })
    const reader = await watch('idle/events', { 'Last-Event-ID': cursor })
    await reader.count(1)
    expect(seqsOf(reader)).toEqual([4])
    run.complete()
    await reader.over
  })

  test('is 204 for a reader that has everything, and begins anew with a later call', async () => {
    await callTool(hub.url, 'echo', {}, { traceId: 'over' })
    const reader = await watch('over/events')
    await reader.over
    const last = idOf(reader, 3)
    const again = await watch('over/events', { 'Last-Event-ID': last })
    expect([again.response.status, await again.response.text()]).toEqual([204, ''])
    await callTool(hub.url, 'echo', {}, { traceId: 'over' })
    const later = await watch('over/events', { 'Last-Event-ID': last })
    await later.over
    expect(seqsOf(later)).toEqual([5, 6, 7, 8])
  })

  test('waits a moment for a further call before it ends', async () => {
    const { run } = await begin('linger')
    const reader = await watch('linger/events')
    run.complete()
    await reader.next('complete')
    await callTool(hub.url, 'echo', {}, { traceId: 'linger' })
    await reader.over
    expect(namesOf(reader)).toEqual([
      ...['received', 'accepted', 'started', 'complete'],
      ...['received', 'accepted', 'started', 'complete', 'end'],
    ])
  })
})

describe('a filtered stream', () => {
  test('shows one call, or the events that are named, also after a cursor', async () => {
    const { callId, run } = await begin('filtered')
    await callTool(hub.url, 'echo', {}, { traceId: 'filtered' })
    const cursor = await cursorOf('filtered')
    run.ctx.progress({ progress: 1 })
    run.complete()
    const readers = {
      ofCall: await watch(`filtered/events?callId=${callId}`),
      named: await watch('filtered/events?event=progress,complete'),
      both: await watch(`filtered/events?callId=${callId}&event=complete`),
      later: await watch('filtered/events?event=progress,complete', { 'Last-Event-ID': cursor }),
      nobody: await watch('filtered/events?callId=x'),
    }
    await Promise.all(Object.values(readers).map(({ over }) => over))
    expect(namesOf(readers.ofCall)).toEqual(['received', 'accepted', 'started', 'progress', 'complete', 'end'])
    expect(namesOf(readers.named)).toEqual(['complete', 'progress', 'complete', 'end'])
    expect(namesOf(readers.both)).toEqual(['complete', 'end'])
    expect(namesOf(readers.later)).toEqual(['progress', 'complete', 'end'])
    expect(namesOf(readers.nobody)).toEqual(['end'])
    // Nothing more will match, so a reader with this filter need not come back.
    const done = await watch('filtered/events?event=received', { 'Last-Event-ID': cursor })
    expect(done.response.status).toBe(204)
  })

  test.each(['event=nonsense', 'event=', 'event=progress,nonsense', 'follow=2', 'limit=0', 'limit=1001', 'limit=x'])(
    'refuses %s',
    async (query) => {
      await callTool(hub.url, 'echo', {}, { traceId: 'refused' })
      const answer = await getJson(hub.url, `/traces/refused/events?${query}`, { Accept: 'text/event-stream' })
      expectProblem(answer, 'INVALID_PARAMS')
      expect(answer.body.error?.data.path).toBe(query.split('=')[0])
    },
  )
})

describe('a stream that follows', () => {
  test('may wait for a trace that does not exist yet, and does not end with it', async () => {
    expectProblem(await getJson(hub.url, '/traces/new/events', { Accept: 'text/event-stream' }), 'NOT_FOUND')
    const reader = await watch('new/events?follow=1')
    expect(reader.response.status).toBe(200)
    for (let at = 1; at <= 2; at++) {
      await callTool(hub.url, 'echo', {}, { traceId: 'new' })
      await reader.count(4 * at)
    }
    const ended = await watch('new/events')
    await ended.over
    expect(reader.isOver).toBe(false)
    expect(seqsOf(reader)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const stays = await watch('new/events?follow=true', { 'Last-Event-ID': idOf(reader, 7) })
    expect(stays.response.status).toBe(200)
    reader.close()
    stays.close()
  })
})

describe('a cursor that is no place in the log', () => {
  const tagged = (cursor: string, seq: number | string, tag = cursor.split('-')[1]) => `${seq}-${tag}`

  test.each([
    ['nonsense', () => 'nonsense', 'invalid'],
    ['empty', () => '', 'invalid'],
    ['zero', (cursor: string) => tagged(cursor, 0), 'invalid'],
    ['negative', (cursor: string) => tagged(cursor, -4), 'invalid'],
    ['far too large', (cursor: string) => tagged(cursor, '9'.repeat(400)), 'invalid'],
    ['from the future', (cursor: string) => tagged(cursor, 4000), 'future'],
    ['of a log that was replaced', (cursor: string) => tagged(cursor, 2, '1'), 'replaced'],
  ])('is answered by a reset, and the stream goes on: %s', async (what, write, reason) => {
    const traceId = `reset-${what.replaceAll(' ', '-')}`
    const { run } = await begin(traceId)
    const cursor = await cursorOf(traceId)
    const reader = await watch(`${traceId}/events?after=${write(cursor)}`)
    const reset = await reader.next('reset')
    expect(reset.id).toBe(cursor)
    expect(reset.data).toMatchObject({ reason, snapshot: { traceId, cursor, lastSeq: 3, state: 'running' } })
    run.complete()
    await reader.over
    expect(namesOf(reader)).toEqual(['reset', 'complete', 'end'])
  })

  test('that was trimmed is answered by a reset', async () => {
    const { run } = await begin('trimmed')
    const first = await watch('trimmed/events')
    for (let at = 1; at <= 3; at++) run.ctx.progress({ progress: at })
    await first.count(6)
    const { log } = hub.link.keys.trace({ tenant: 'local', owner: 'local', traceId: 'trimmed' })
    await hub.link.commands.xtrim(log, 'MAXLEN', 2)
    for (const after of [idOf(first, 0), undefined]) {
      const reader = await watch(`trimmed/events${after === undefined ? '' : `?after=${after}`}`)
      const reset = await reader.next('reset')
      expect(reset.data).toMatchObject({ reason: 'trimmed', snapshot: { lastSeq: 6 } })
      expect(reset.id).toBe(idOf(first, 5))
      reader.close()
    }
    // What is still there can be resumed from.
    const kept = await watch('trimmed/events', { 'Last-Event-ID': idOf(first, 4) })
    await kept.count(1)
    expect(seqsOf(kept)).toEqual([6])
    run.complete()
    await kept.over
  })

  test('is refused where pages are read', async () => {
    await callTool(hub.url, 'echo', {}, { traceId: 'paged-wrong' })
    const answer = await getJson(hub.url, '/traces/paged-wrong/events?after=7-7')
    expectProblem(answer, 'INVALID_PARAMS')
    expect(answer.body.error?.message).toContain('the cursor is future')
  })
})

describe('the events of a trace as JSON', () => {
  test('come in pages that hold each once', async () => {
    const { run } = await begin('pages')
    for (let at = 1; at <= 6; at++) run.ctx.progress({ progress: at })
    run.complete()
    await until(async () => (await getJson<TraceView>(hub.url, '/traces/pages')).body.state === 'completed')
    const seen: JsonObject[] = []
    for (let after = ''; after !== 'end'; ) {
      const path = `/traces/pages/events?limit=3${after === '' ? '' : `&after=${after}`}`
      const { body } = await getJson<{ items: JsonObject[]; nextCursor?: string }>(hub.url, path)
      expect(body.items.length).toBeLessThanOrEqual(3)
      seen.push(...body.items)
      after = body.nextCursor ?? 'end'
    }
    expect(seen.map(({ data }) => (data as JsonObject).seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(seen.map(({ event }) => event)).toContain('complete')
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/pages/events?event=complete')
    expect(body.items).toHaveLength(1)
  })
})

describe('text that is hard to carry', () => {
  const text = 'NUL \u0000, lines \u2028 \u2029 \u0085, \r\n\t, BOM \ufeff, 한글, 🎓👩‍👩‍👧, lone \ud83d and \udc00'

  test('survives from the agent to the watcher, and the next event is whole', async () => {
    const callId = await startCall(hub.url, 'work', { text }, { traceId: 'hard' })
    const run = await work.nextRun()
    expect(run.args).toStrictEqual({ text })
    const reader = await watch('hard/events')
    run.ctx.progress({ progress: 1, message: text })
    run.ctx.progress({ progress: 2, message: 'plain' })
    run.complete({ structuredContent: { text } })
    await reader.over
    expect(reader.events.map(({ data }) => data.message)).toEqual([
      ...[undefined, undefined, undefined],
      ...[text, 'plain', undefined, undefined],
    ])
    expect((await reader.next('complete')).data.result).toStrictEqual({ text })
    const { body } = await getJson<JsonObject>(hub.url, `/calls/${callId}`)
    expect(body).toMatchObject({ arguments: { text }, result: { text }, progress: { message: 'plain' } })
    expect((await getJson<TraceView>(hub.url, '/traces/hard')).body.state).toBe('completed')
  })
})
