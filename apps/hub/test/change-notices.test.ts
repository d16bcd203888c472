import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { TraceSummary } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { type EventReader, namesOf } from './event-reader.js'
import { watchHub } from './hub-events.js'
import { callTool, getJson, startCall } from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { type RedisProxy, startRedisProxy } from './redis-proxy.js'
import { type RunningHub, runHub, sharedRedis } from './running-hub.js'
import { echoTool, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

const work = steeredTool('work')
let hub: RunningHub
let proxy: RedisProxy

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  proxy = await startRedisProxy(sharedRedis())
  hub = await runHub({
    hubRedisUrl: proxy.url,
    agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } },
    access: OWNED_ACCESS,
  })
})

afterAll(closeAll)

const listen = (who: string) => watchHub(hub.url, '', as(who))
const echo = (traceId: string, who = 'alice') => callTool(hub.url, 'echo', {}, { traceId }, as(who))
const noticesOf = (reader: EventReader, traceId: string) =>
  reader.events.filter(({ data }) => data.traceId === traceId).map(({ data }) => data)

async function untilNotice(reader: EventReader, traceId: string, state: string): Promise<void> {
  await until(() => noticesOf(reader, traceId).some((notice) => notice.state === state))
}

describe('the notices of changes', () => {
  test('tell of a trace when it begins and when it ends, and nothing of progress', async () => {
    const reader = await listen('alice')
    await startCall(hub.url, 'work', {}, { traceId: 'noticed' }, as('alice'))
    const run = await work.nextRun()
    await untilNotice(reader, 'noticed', 'running')
    await until(() => noticesOf(reader, 'noticed').at(-1)?.seq === 3)
    const before = noticesOf(reader, 'noticed').length
    for (let step = 1; step <= 20; step++) run.ctx.progress({ progress: step })
    await until(async () => {
      const { body } = await getJson<TraceSummary>(hub.url, '/traces/noticed', as('alice'))
      return body.lastSeq >= 4
    })
    // Another trace's notice comes in a later tick than the progress would have.
    await echo('beside')
    await untilNotice(reader, 'beside', 'completed')
    expect(noticesOf(reader, 'noticed')).toHaveLength(before)
    run.complete()
    await untilNotice(reader, 'noticed', 'completed')
    const { body } = await getJson<TraceSummary>(hub.url, '/traces/noticed', as('alice'))
    expect(noticesOf(reader, 'noticed').at(-1)).toEqual({
      traceId: 'noticed',
      owner: 'alice',
      seq: body.lastSeq,
      state: 'completed',
    })
    expect(new Set(namesOf(reader))).toEqual(new Set(['change']))
    expect(reader.events.every(({ id }) => id === undefined)).toBe(true)
  })

  test('come once for each trace in a tick, with where it stands last', async () => {
    const reader = await listen('alice')
    for (let call = 0; call < 20; call++) await echo('busy')
    await until(() => noticesOf(reader, 'busy').at(-1)?.seq === 80)
    // Forty steps change the trace; a tick lasts longer than several calls.
    expect(noticesOf(reader, 'busy').length).toBeLessThan(20)
    const seqs = noticesOf(reader, 'busy').map(({ seq }) => Number(seq))
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right))
  })

  test('show only what the principal may see', async () => {
    const [alice, bob, reader, stranger] = await Promise.all(['alice', 'bob', 'reader', 'stranger'].map(listen))
    if (!alice || !bob || !reader || !stranger) throw new Error('not opened')
    await echo('of-alice')
    await echo('of-bob', 'bob')
    await echo('of-stranger', 'stranger')
    await untilNotice(alice, 'of-alice', 'completed')
    await untilNotice(bob, 'of-bob', 'completed')
    await untilNotice(stranger, 'of-stranger', 'completed')
    await untilNotice(reader, 'of-alice', 'completed')
    await untilNotice(reader, 'of-bob', 'completed')
    const seen = (who: EventReader) => new Set(who.events.map(({ data }) => data.traceId))
    expect(seen(alice)).toEqual(new Set(['of-alice']))
    expect(seen(bob)).toEqual(new Set(['of-bob']))
    expect(seen(reader)).toEqual(new Set(['of-alice', 'of-bob']))
    expect(seen(stranger)).toEqual(new Set(['of-stranger']))
    for (const open of [alice, bob, reader, stranger]) open.close()
  })

  test('tell the worst that a trace ended in, also of a refusal', async () => {
    const reader = await listen('alice')
    await callTool(hub.url, 'no_such_tool', {}, { traceId: 'mixed' }, as('alice'))
    await untilNotice(reader, 'mixed', 'refused')
    await echo('mixed')
    await until(() => Number(noticesOf(reader, 'mixed').at(-1)?.seq) === 6)
    const { body } = await getJson<TraceSummary>(hub.url, '/traces/mixed', as('alice'))
    expect(noticesOf(reader, 'mixed').at(-1)?.state).toBe(body.state)
  })

  test('say when some may be missing, and the list of traces tells which', async () => {
    const reader = await listen('alice')
    const { body: before } = await getJson<{ asOf: string }>(hub.url, '/traces', as('alice'))
    const lost = echo('meanwhile')
    proxy.cut('subscribers')
    await lost
    expect((await reader.next('reset')).data).toEqual({ reason: 'interrupted' })
    const { body } = await getJson<{ items: TraceSummary[] }>(hub.url, `/traces?since=${before.asOf}`, as('alice'))
    expect(body.items.map(({ traceId }) => traceId)).toContain('meanwhile')
    await echo('afterwards')
    await untilNotice(reader, 'afterwards', 'completed')
  })

  test('are made good by the list where the writer died before the list heard of an end', async () => {
    const answer = await echo('unheard')
    const callId = String(answer.headers.get('SyncHub-Call-Id'))
    const { keys, commands } = hub.link
    const { body: before } = await getJson<{ asOf: string }>(hub.url, '/traces', as('alice'))
    // As it is between the two writes of an end.
    await commands.zadd(keys.changes('acme', 'alice'), 1, 'unheard')
    await commands.zadd(keys.openCalls, 1, callId)
    await until(async () => {
      const { body } = await getJson<{ items: TraceSummary[] }>(hub.url, `/traces?since=${before.asOf}`, as('alice'))
      return body.items.some(({ traceId }) => traceId === 'unheard')
    })
    expect(await commands.zscore(keys.openCalls, callId)).toBeNull()
  })

  test('cost nothing once nobody listens', async () => {
    const reader = await listen('stranger')
    const channel = hub.link.keys.noticeChannel('beta')
    const listeners = async () => Number((await hub.link.commands.pubsub('NUMSUB', channel))[1])
    expect(await listeners()).toBe(1)
    reader.close()
    await until(async () => (await listeners()) === 0)
  })
})
