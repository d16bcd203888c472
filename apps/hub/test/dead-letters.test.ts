import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CallView, DeadLetterView, Page, ResolutionView, TraceView } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { callTool, getCall, getJson, postJson, startCall } from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { type ScriptedAgent, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

interface Resolved {
  readonly resolved: boolean
  readonly state: string
  readonly resolution: ResolutionView
}

let agent: ScriptedAgent
let gone: ScriptedAgent
let hub: RunningHub

beforeAll(async () => {
  agent = await serveScript([toolOf('book'), toolOf('fine')], (res, { id, name }) => {
    // Cut in the middle of the answer: whether it has booked, nobody knows.
    if (name === 'book') return res.destroy()
    return sendResult(res, id, { content: [] })
  })
  gone = await serveScript([toolOf('reach'), toolOf('glance')])
  hub = await runHub({
    agents: {
      Booking: { url: agent.url, tools: { book: { mode: 'direct' }, fine: { mode: 'direct' } } },
      Gone: { url: gone.url, maxAttempts: 1, tools: { glance: { mode: 'direct' } } },
    },
    access: OWNED_ACCESS,
  })
})

afterAll(closeAll)

const list = async (who: string, query = '') =>
  (await getJson<Page<DeadLetterView>>(hub.url, `/dead-letters${query}`, as(who))).body

const resolve = <Body = Resolved>(callId: string, who: string, reason: unknown = 'it was booked') =>
  postJson<Body>(hub.url, `/calls/${callId}/resolve`, { reason }, as(who))

const eventsOf = async (traceId: string) =>
  (await getJson<Page<{ readonly event: string }>>(hub.url, `/traces/${traceId}/events`, as('alice'))).body.items

/** A call of which nobody knows whether its agent has acted. */
async function giveUp(who: string): Promise<CallView> {
  const { body } = await callTool(hub.url, 'book', {}, {}, as(who))
  const callId = String(body.error?.data.callId)
  const call = await getCall(hub.url, callId, as(who))
  expect(call.state).toBe('unknown')
  return call
}

describe('dead letters', () => {
  test('are the calls of unknown outcome and queued ones whose agent was never reached, and no others', async () => {
    const unknown = await giveUp('alice')
    await gone.goDown()
    // At once, while its agent still counts as reachable: what is known to be gone is refused.
    const direct = await callTool(hub.url, 'glance', {}, {}, as('alice'))
    const callId = await startCall(hub.url, 'reach', {}, {}, as('alice'))
    await until(async () => (await getCall(hub.url, callId, as('alice'))).state === 'failed')
    const unreached = await getCall(hub.url, String(direct.body.error?.data.callId), as('alice'))
    expect([unreached.state, unreached.error?.data.title]).toEqual(['failed', 'AGENT_UNAVAILABLE'])
    await callTool(hub.url, 'no-such-tool', {}, {}, as('alice'))
    const { items } = await list('alice')
    expect(items.map((call) => [call.callId, call.state, call.owner, call.error?.data.title])).toEqual([
      [callId, 'failed', 'alice', 'AGENT_UNAVAILABLE'],
      [unknown.callId, 'unknown', 'alice', 'OUTCOME_UNKNOWN'],
    ])
    expect(items[0]?.links).toMatchObject({ resolve: `/calls/${callId}/resolve`, rerun: `/calls/${callId}/rerun` })
    expect((await list('alice', '?state=failed')).items.map((call) => call.callId)).toEqual([callId])
    expect((await list('alice', '?agent=Booking&tool=book')).items.map((call) => call.callId)).toEqual([unknown.callId])
    expect((await list('alice', '?tool=fine')).items).toEqual([])
  })

  test('are shown to their owner and to those who see the tenant; to strangers they look like none', async () => {
    const { callId } = await giveUp('bob')
    const seen = async (who: string, query = '') =>
      (await list(who, query)).items.some((call) => call.callId === callId)
    expect([await seen('bob'), await seen('reader'), await seen('reader', '?owner=bob')]).toEqual([true, true, true])
    expect([await seen('alice'), await seen('alice', '?owner=bob'), await seen('stranger')]).toEqual([
      false,
      false,
      false,
    ])
    expect(await list('stranger', '?owner=bob')).toEqual(await list('stranger', '?owner=nobody'))
  })

  test('come in pages that hold every call once', async () => {
    for (let at = 0; at < 5; at++) await giveUp('oneOwner')
    const pages: string[][] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await list('oneOwner', `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      pages.push(page.items.map(({ callId }) => callId))
      cursor = page.nextCursor
    }
    expect(new Set(pages.flat()).size).toBe(5)
    expect(pages.flat()).toHaveLength(5)
    expectProblem(await getJson(hub.url, '/dead-letters?cursor=nonsense', as('alice')), 'INVALID_PARAMS')
  })
})

describe('a dead letter whose writer died before it could list it', () => {
  test('is listed by the sweep, for its owner and for the tenant', async () => {
    const { callId } = await giveUp('bob')
    const { commands, keys } = hub.link
    for (const entries of [keys.deadLetters('open', 'acme'), keys.deadLetters('open', 'acme', 'bob')]) {
      expect(await commands.zrem(entries, callId)).toBe(1)
    }
    const isSeen = async (who: string) => (await list(who)).items.some((call) => call.callId === callId)
    expect([await isSeen('bob'), await isSeen('reader')]).toEqual([false, false])
    // As the step that ended it leaves it: among the open calls still.
    await commands.zadd(keys.openCalls, 0, callId)
    await until(async () => (await isSeen('bob')) && (await isSeen('reader')))
    await until(async () => (await commands.zscore(keys.openCalls, callId)) === null)
  })
})

describe('a dead letter that is resolved', () => {
  test('keeps its end as it was reported, gets one more event, and leaves the list', async () => {
    const { callId, traceId, endedAt } = await giveUp('alice')
    const { status, body } = await resolve(callId, 'alice')
    expect([status, body.resolved, body.state, body.resolution.by, body.resolution.reason]).toEqual([
      200,
      true,
      'unknown',
      'alice',
      'it was booked',
    ])
    const call = await getCall(hub.url, callId, as('alice'))
    expect([call.state, call.endedAt, call.error?.data.title, call.resolution]).toEqual([
      'unknown',
      endedAt,
      'OUTCOME_UNKNOWN',
      body.resolution,
    ])
    expect((await eventsOf(traceId)).map(({ event }) => event)).toEqual([
      'received',
      'accepted',
      'started',
      'unknown',
      'resolved',
    ])
    const isIn = async (query: string) => (await list('alice', query)).items.some((one) => one.callId === callId)
    expect([await isIn(''), await isIn('?resolved=1')]).toEqual([false, true])
  })

  test('makes its trace no longer, until another call goes on in that', async () => {
    const traceOf = async (traceId: string) =>
      (await getJson<TraceView>(hub.url, `/traces/${traceId}`, as('alice'))).body
    const { callId, traceId, endedAt } = await giveUp('alice')
    expect((await traceOf(traceId)).endedAt).toBeUndefined()
    await resolve(callId, 'alice')
    const resolved = await traceOf(traceId)
    expect(resolved.endedAt).toBe(endedAt)
    expect(resolved.updatedAt > String(endedAt)).toBe(true)
    const { body } = await callTool(hub.url, 'book', {}, { traceId }, as('alice'))
    expect((await traceOf(traceId)).endedAt).toBeUndefined()
    const second = String(body.error?.data.callId)
    await resolve(second, 'alice')
    expect((await traceOf(traceId)).endedAt).toBe((await getCall(hub.url, second, as('alice'))).endedAt)
  })

  test('keeps the first resolution, whoever comes at the same time or later', async () => {
    const { callId, traceId } = await giveUp('alice')
    const answers = await Promise.all(['one', 'two', 'three'].map((reason) => resolve(callId, 'alice', reason)))
    const later = await resolve(callId, 'alice', 'four')
    expect(answers.filter(({ body }) => body.resolved)).toHaveLength(1)
    expect(new Set([...answers, later].map(({ body }) => body.resolution.reason)).size).toBe(1)
    expect(later.body.resolved).toBe(false)
    expect((await eventsOf(traceId)).filter(({ event }) => event === 'resolved')).toHaveLength(1)
  })

  test('is resolved by its owner, or with the scope; others may see it and nothing more, strangers not even that', async () => {
    const { callId } = await giveUp('alice')
    const refused = await resolve<never>(callId, 'reader')
    expectProblem(refused, 'FORBIDDEN')
    expectProblem(await resolve<never>(callId, 'stranger'), 'NOT_FOUND')
    expectProblem(await resolve<never>(callId, 'bob'), 'NOT_FOUND')
    expect((await resolve(callId, 'desk')).body).toMatchObject({ resolved: true, resolution: { by: 'desk' } })
  })

  test('needs a reason, and to be one', async () => {
    const { callId } = await giveUp('alice')
    for (const reason of [null, '', '  ', 7, 'x'.repeat(1001)]) {
      expectProblem(await resolve<never>(callId, 'alice', reason), 'INVALID_PARAMS')
    }
    const { body } = await callTool(hub.url, 'fine', {}, {}, as('alice'))
    const { callId: fine } = (body.result?._meta ?? {}) as { readonly callId?: string }
    expectProblem(await resolve<never>(String(fine), 'alice'), 'INVALID_PARAMS')
  })
})
