import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { type EventReader, namesOf } from './event-reader.js'
import { watchHub } from './hub-events.js'
import { callTool, getJson, postJson, type SentHeaders, startCall } from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
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
    streams: { lingerMs: 200 },
    access: OWNED_ACCESS,
  })
})

afterAll(closeAll)

const join = (traces: string, query = '', headers: SentHeaders = as('alice')) =>
  watchHub(hub.url, `?traces=${traces}${query}`, headers)

const echo = (traceId: string, who = 'alice') => callTool(hub.url, 'echo', {}, { traceId }, as(who))

async function begin(traceId: string): Promise<SteeredRun> {
  await startCall(hub.url, 'work', {}, { traceId }, as('alice'))
  return work.nextRun()
}

const noticesOf = (reader: EventReader, traceId: string) =>
  reader.events.filter(({ event, data }) => event === 'change' && data.traceId === traceId).map(({ data }) => data)

/** Events as `trace number`, in the order of each trace. */
const placesOf = (reader: EventReader, traceId: string): number[] =>
  reader.events
    .filter(({ id, data }) => id !== undefined && data.traceId === traceId && data.seq !== undefined)
    .map(({ data }) => Number(data.seq))

describe('the events of several traces', () => {
  test('come as one stream, whole and in order within each, and end together', async () => {
    const [one, two] = [await begin('join-1'), await begin('join-2')]
    const reader = await join('join-1,join-2')
    await reader.count(6)
    one.ctx.progress({ progress: 1 })
    two.ctx.progress({ progress: 1 })
    one.complete()
    await reader.next('complete')
    expect(reader.isOver).toBe(false)
    two.complete()
    await reader.over
    expect(placesOf(reader, 'join-1')).toEqual([1, 2, 3, 4, 5])
    expect(placesOf(reader, 'join-2')).toEqual([1, 2, 3, 4, 5])
    expect(namesOf(reader).at(-1)).toBe('end')
    expect(reader.events.at(-1)).toMatchObject({ id: undefined, data: { traces: ['join-1', 'join-2'] } })
  })

  test('bring the notices of change too, so that one connection is enough for all that a browser shows', async () => {
    const run = await begin('shared-1')
    const reader = await join('shared-1', '&changes=1')
    await reader.count(3)
    await echo('beside-it')
    await until(() => noticesOf(reader, 'beside-it').at(-1)?.state === 'completed')
    await echo('unseen', 'bob')
    run.complete()
    await reader.next('complete')
    await until(() => noticesOf(reader, 'shared-1').at(-1)?.state === 'completed')
    expect(placesOf(reader, 'shared-1')).toEqual([1, 2, 3, 4])
    expect(reader.events.filter(({ event }) => event === 'change').every(({ id }) => id === undefined)).toBe(true)
    expect(noticesOf(reader, 'unseen')).toEqual([])
    expect(reader.isOver).toBe(false)
    reader.close()
  })

  test('go on after any event exactly where each of the traces stood, in whatever order they are named', async () => {
    for (const traceId of ['cut-1', 'cut-2', 'cut-3']) await echo(traceId)
    const whole = await join('cut-1,cut-2,cut-3')
    await whole.over
    const events = whole.events.slice(0, -1)
    expect(events).toHaveLength(12)
    const resume = ({ id }: { readonly id: string | undefined }) =>
      join('cut-3,cut-1,cut-2', '', { ...as('alice'), 'Last-Event-ID': String(id) })
    await Promise.all(
      events.slice(0, -1).map(async (event, at) => {
        const rest = await resume(event)
        await rest.over
        const missing = events.slice(at + 1).map(({ text }) => text)
        expect(
          rest.events
            .slice(0, -1)
            .map(({ text }) => text)
            .toSorted(),
        ).toEqual(missing.toSorted())
      }),
    )
    const { response } = await resume({ id: events.at(-1)?.id })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('have a cursor of bounded length for fifty traces, and no stream for more', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `fifty-${at}`)
    await Promise.all(names.map((name) => echo(name)))
    const reader = await join(names.join(','))
    await reader.over
    const last = String(reader.events.at(-2)?.id)
    expect(reader.events).toHaveLength(201)
    expect(last.length).toBeLessThan(1800)
    const again = await join(names.join(','), `&after=${encodeURIComponent(last)}`)
    expect(again.response.status).toBe(204)
    for (const query of [[...names, 'fifty-50'].join(','), '', 'a,,b']) {
      const refused = await getJson(hub.url, `/events?traces=${query}`, as('alice'))
      expectProblem(refused, 'INVALID_PARAMS')
      expect(refused.body.error?.data.path).toBe('traces')
    }
  })

  test('begin anew for a trace that the cursor does not know, and take one out that is not asked for', async () => {
    await echo('known')
    await echo('dropped')
    const first = await join('known,dropped')
    await first.over
    await echo('added')
    const next = await join('known,added', `&after=${first.events.at(-2)?.id}`)
    await next.over
    expect(placesOf(next, 'known')).toEqual([])
    expect(placesOf(next, 'added')).toEqual([1, 2, 3, 4])
    expect(placesOf(next, 'dropped')).toEqual([])
  })

  test('reset each trace for a cursor that is none, and go on after the snapshots', async () => {
    await echo('reset-1')
    const run = await begin('reset-2')
    const reader = await join('reset-1,reset-2', '', { ...as('alice'), 'Last-Event-ID': 'never a cursor' })
    await reader.count(2)
    expect(reader.events.map(({ event, data }) => [event, data.traceId, data.reason, data.owner])).toEqual([
      ['reset', 'reset-1', 'invalid', 'alice'],
      ['reset', 'reset-2', 'invalid', 'alice'],
    ])
    expect(reader.events[1]?.data.snapshot).toMatchObject({ traceId: 'reset-2', lastSeq: 3 })
    const resumed = await join('reset-1,reset-2', `&after=${reader.events[1]?.id}`)
    run.complete()
    await Promise.all([reader.over, resumed.over])
    expect(placesOf(reader, 'reset-2')).toEqual([4])
    expect(placesOf(resumed, 'reset-2')).toEqual([4])
    expect([...placesOf(reader, 'reset-1'), ...placesOf(resumed, 'reset-1')]).toEqual([])
  })

  test('reset only the trace whose place is gone', async () => {
    await echo('stays')
    await echo('goes')
    const first = await join('stays,goes')
    await first.over
    const keys = hub.link.keys.trace({ tenant: 'acme', owner: 'alice', traceId: 'goes' })
    await hub.link.commands.del(keys.trace, keys.log, keys.calls)
    // Written by another process: the ids of its entries are other ones.
    const second = await hub.startHub()
    await callTool(second.url, 'echo', {}, { traceId: 'goes' }, as('alice'))
    const again = await join('stays,goes', `&after=${first.events.at(-2)?.id}`)
    await again.over
    expect(namesOf(again).filter((name) => name !== 'end')).toEqual(['reset'])
    expect(again.events[0]?.data).toMatchObject({ traceId: 'goes', snapshot: { lastSeq: 4 } })
  })

  test('wait for more, also for a trace that is still to come, where they are followed', async () => {
    await echo('follow-1')
    const reader = await join('follow-1,follow-2', '&follow=1')
    await reader.count(4)
    await echo('follow-2')
    await reader.count(8)
    await echo('follow-1')
    await reader.count(12)
    expect(placesOf(reader, 'follow-1')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(reader.isOver).toBe(false)
    reader.close()
  })

  test('take a trace up again that goes on while another one runs', async () => {
    await echo('on-1')
    const run = await begin('on-2')
    const reader = await join('on-1,on-2')
    await reader.count(7)
    await echo('on-1')
    await reader.count(11)
    run.complete()
    await reader.over
    expect(placesOf(reader, 'on-1')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test.each([
    ['another owner', 'bob'],
    ['another tenant', 'stranger'],
  ])('name a trace of %s as missing like one that does not exist', async (_what, who) => {
    await echo('private')
    await echo('mine', who)
    const foreign = await getJson(hub.url, '/events?traces=mine,private', as(who))
    const missing = await getJson(hub.url, '/events?traces=mine,missing', as(who))
    expectProblem(foreign, 'NOT_FOUND')
    expectProblem(missing, 'NOT_FOUND')
    expect(foreign.body.error?.message).toContain('"private"')
    expect(foreign.body.error?.message.replace('private', 'missing')).toBe(missing.body.error?.message)
  })

  test('are seen by those who may read the whole tenant', async () => {
    await echo('seen')
    await echo('seen-too', 'bob')
    const reader = await join('seen,seen-too', '', as('operator'))
    await reader.over
    expect(placesOf(reader, 'seen').concat(placesOf(reader, 'seen-too'))).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
  })

  test('are served as a stream alone', async () => {
    await echo('form')
    expectProblem(
      await getJson(hub.url, '/events?traces=form', { ...as('alice'), Accept: 'application/json' }),
      'NOT_ACCEPTABLE',
    )
    expectProblem(await postJson(hub.url, '/events?traces=form', {}, as('alice')), 'METHOD_NOT_ALLOWED')
    expectProblem(await getJson(hub.url, '/events?traces=form'), 'UNAUTHENTICATED')
  })
})

describe('a trace that is named with a place', () => {
  test('begins after that event, while those without one begin at their first', async () => {
    await echo('placed-1')
    await echo('placed-2')
    const { body } = await getJson<{ items: { id: string }[] }>(hub.url, '/traces/placed-1/events', as('alice'))
    const reader = await join(`placed-1@${body.items[1]?.id},placed-2`)
    await reader.over
    expect(placesOf(reader, 'placed-1')).toEqual([3, 4])
    expect(placesOf(reader, 'placed-2')).toEqual([1, 2, 3, 4])
  })

  test('goes on by the cursor of the stream once that knows it', async () => {
    await echo('known-place')
    const { body } = await getJson<{ items: { id: string }[] }>(hub.url, '/traces/known-place/events', as('alice'))
    const whole = await join('known-place')
    await whole.over
    const cursor = { ...as('alice'), 'Last-Event-ID': String(whole.events[2]?.id) }
    const reader = await join(`known-place@${body.items[0]?.id}`, '', cursor)
    await reader.over
    expect(placesOf(reader, 'known-place')).toEqual([4])
  })

  test('is reset where the place is not in its log', async () => {
    await echo('lost-place')
    const reader = await join('lost-place@nonsense')
    await reader.over
    expect(reader.events[0]).toMatchObject({ event: 'reset', data: { traceId: 'lost-place', reason: 'invalid' } })
  })

  test('may be named with its owner, each trace with its own', async () => {
    await echo('of-both', 'alice')
    await echo('of-both', 'bob')
    await echo('of-bob', 'bob')
    const reader = await join('bob/of-both,bob/of-bob', '', as('reader'))
    await reader.over
    expect(placesOf(reader, 'of-both')).toEqual([1, 2, 3, 4])
    expect(placesOf(reader, 'of-bob')).toEqual([1, 2, 3, 4])
  })
})
