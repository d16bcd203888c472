import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CallView, JsonObject, Page, TraceSummary, TraceView } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { callTool, getCall, getJson, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

type TracePage = Page<TraceSummary> & { readonly asOf: string }

const work = steeredTool('work')
const OUT_OF_PAPER = { content: [{ type: 'text', text: 'out of paper' }], isError: true } as const
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  hub = await runHub({ agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } } })
})

afterAll(closeAll)

const list = async (query = ''): Promise<TracePage> => (await getJson<TracePage>(hub.url, `/traces?${query}`)).body
const idsOf = ({ items }: TracePage) => items.map(({ traceId }) => traceId)
const view = async (traceId: string) => (await getJson<TraceView>(hub.url, `/traces/${traceId}`)).body

async function echo(traceId: string, callerAgent = 'Lister'): Promise<string> {
  const answer = await callTool(hub.url, 'echo', {}, { traceId, callerAgent })
  return String(answer.headers.get('SyncHub-Call-Id'))
}

describe('GET /traces', () => {
  test('shows the newest first, each once, page by page', async () => {
    const made = Array.from({ length: 7 }, (_, at) => `page-${at}`)
    for (const traceId of made) await echo(traceId, 'Pager')
    await echo('page-0', 'Pager')
    const seen: string[][] = []
    for (let cursor: string | undefined; seen.length === 0 || cursor !== undefined; ) {
      const page = await list(
        `caller=Pager&limit=3${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      seen.push(idsOf(page))
      cursor = page.nextCursor
    }
    expect(seen.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(seen.flat()).toEqual(made.toReversed())
  })

  test('shows traces that were made in the same moment on one page or the next, never twice', async () => {
    const made = Array.from({ length: 12 }, (_, at) => `same-${at}`)
    await Promise.all(made.map((traceId) => echo(traceId, 'AtOnce')))
    const seen: string[] = []
    for (let cursor = ''; cursor !== 'end'; ) {
      const page = await list(`caller=AtOnce&limit=5${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      seen.push(...idsOf(page))
      cursor = page.nextCursor ?? 'end'
    }
    expect(seen.toSorted()).toEqual(made.toSorted())
  })

  test('finds traces by their agent, and by any part of what a person sees of them', async () => {
    await echo('Findable-1', 'Seeker')
    expect(idsOf(await list('agent=Agent&caller=Seeker'))).toEqual(['Findable-1'])
    expect(idsOf(await list('agent=Other&caller=Seeker'))).toEqual([])
    for (const text of ['findABLE', 'seek']) expect(idsOf(await list(`text=${text}`))).toEqual(['Findable-1'])
    expect(idsOf(await list('text=ECH&caller=Seeker'))).toEqual(['Findable-1'])
    expect(idsOf(await list('text=age&caller=Seeker'))).toEqual(['Findable-1'])
    expect(idsOf(await list('text=elsewhere'))).toEqual([])
  })

  test('finds what a filter wants behind many that it does not want', async () => {
    await echo('behind', 'Digger')
    const now = Date.now()
    // Entries whose trace was never recorded: what a crash between index and record leaves.
    const dangling = Array.from({ length: 2500 }, (_, at) => [now + 1 + at, `dangling-${at}`] as const)
    const { commands, keys } = hub.link
    await commands.zadd(keys.traces('local', 'local'), ...dangling.flat())
    const pages: TracePage[] = []
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      pages.push(await list(`caller=Digger${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`))
      cursor = pages.at(-1)?.nextCursor
    }
    expect(pages.flatMap(idsOf)).toEqual(['behind'])
    expect(pages.length).toBeLessThanOrEqual(3)
    await commands.zrem(keys.traces('local', 'local'), ...dangling.map(([, traceId]) => traceId))
  })

  test('shows of each trace its first call, its state and how far it is', async () => {
    await startCall(hub.url, 'work', {}, { traceId: 'summary', callerAgent: 'Summer' })
    const run = await work.nextRun()
    await echo('summary')
    const [trace] = (await list('caller=Summer')).items
    expect(trace).toEqual({
      traceId: 'summary',
      owner: 'local',
      state: 'running',
      rootTool: 'work',
      rootAgent: 'Agent',
      caller: 'Summer',
      callCount: 2,
      openCalls: 1,
      lastSeq: 7,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      links: { self: '/traces/summary', events: '/traces/summary/events' },
    })
    run.complete()
    await until(async () => (await list('caller=Summer')).items[0]?.state === 'completed')
  })

  test('filters by state: a trace is running while any call is, else the worst that a call ended in', async () => {
    const meta = { callerAgent: 'Stater' }
    await echo('state-completed', 'Stater')
    await echo('state-refused', 'Stater')
    await callTool(hub.url, 'nope', {}, { ...meta, traceId: 'state-refused' })
    await startCall(hub.url, 'work', {}, { ...meta, traceId: 'state-running' })
    const running = await work.nextRun()
    for (const traceId of ['state-failed', 'state-tool_failed', 'state-cancelled']) {
      const callId = await startCall(hub.url, 'work', {}, { ...meta, traceId })
      const run = await work.nextRun()
      if (traceId === 'state-failed') run.fail(new Error('x'))
      else if (traceId === 'state-tool_failed') run.complete(OUT_OF_PAPER)
      else await fetch(`${hub.url}/calls/${callId}/cancel`, { method: 'POST' })
    }
    for (const state of ['completed', 'refused', 'running', 'failed', 'tool_failed', 'cancelled']) {
      await until(async () => idsOf(await list(`caller=Stater&state=${state}`)).length === 1)
      expect(idsOf(await list(`caller=Stater&state=${state}`))).toEqual([`state-${state}`])
    }
    expect(idsOf(await list('caller=Stater&state=unknown'))).toEqual([])
    expect(idsOf(await list('caller=Stater&state=tool_failed,failed'))).toHaveLength(2)
    running.complete()
  })

  test('filters by tool and by time', async () => {
    const before = new Date().toISOString()
    await echo('time-1', 'Timer')
    await until(async () => (await view('time-1')).createdAt < new Date().toISOString())
    const between = new Date().toISOString()
    await echo('time-2', 'Timer')
    expect(idsOf(await list(`caller=Timer&from=${before}`))).toEqual(['time-2', 'time-1'])
    expect(idsOf(await list(`caller=Timer&from=${between}`))).toEqual(['time-2'])
    expect(idsOf(await list(`caller=Timer&to=${between}`))).toEqual(['time-1'])
    expect(idsOf(await list('caller=Timer&tool=echo'))).toHaveLength(2)
    expect(idsOf(await list('caller=Timer&tool=work'))).toEqual([])
  })

  test('with since shows what has changed, the oldest change first', async () => {
    await echo('since-old', 'Sincer')
    await startCall(hub.url, 'work', {}, { traceId: 'since-open', callerAgent: 'Sincer' })
    const run = await work.nextRun()
    await until(async () => (await view('since-open')).updatedAt < new Date().toISOString())
    const since = new Date().toISOString()
    expect(idsOf(await list(`caller=Sincer&since=${since}`))).toEqual([])
    await echo('since-new', 'Sincer')
    run.complete()
    await until(async () => (await view('since-open')).state === 'completed')
    await until(async () => idsOf(await list(`caller=Sincer&since=${since}`)).length === 2)
    expect(idsOf(await list(`caller=Sincer&since=${since}`))).toEqual(['since-new', 'since-open'])
    const first = await list(`caller=Sincer&since=${since}&limit=1`)
    expect(idsOf(first)).toEqual(['since-new'])
    const second = await list(`caller=Sincer&since=${since}&cursor=${encodeURIComponent(String(first.nextCursor))}`)
    expect(idsOf(second)).toEqual(['since-open'])
    // To be asked with next time; it overlaps, since a change may be written while an earlier page is read.
    expect(Date.parse(first.asOf)).toBeLessThanOrEqual(Date.now() - 1000)
  })

  test.each([
    'state=done',
    'state=failed,',
    'limit=0',
    'limit=201',
    'limit=1.5',
    'from=yesterday',
    'to=1',
    'since=x',
    'cursor=x',
  ])('refuses %s', async (query) => {
    const answer = await getJson(hub.url, `/traces?${query}`)
    expectProblem(answer, 'INVALID_PARAMS')
    expect(answer.body.error?.data.path).toBe(query.split('=')[0])
  })
})

describe('GET /traces/{traceId}', () => {
  test('shows the tree of calls, and the cursor that fits it', async () => {
    const meta = { traceId: 'tree', callerAgent: 'SyncVerse' }
    const root = await startCall(hub.url, 'work', { secret: 1 }, meta)
    const run = await work.nextRun()
    run.ctx.progress({ progress: 4, total: 10, message: 'delegating' })
    const child = await callTool(hub.url, 'echo', {}, { ...meta, parentCallId: root, callerAgent: 'SyncInsight' })
    const childId = child.headers.get('SyncHub-Call-Id')
    const grandchild = await callTool(hub.url, 'nope', {}, { ...meta, parentCallId: childId })
    const other = await echo('tree')
    await until(async () => (await view('tree')).calls[0]?.progress !== undefined)
    const trace = await view('tree')
    expect(trace).toMatchObject({ state: 'running', callCount: 4, openCalls: 1, truncated: false })
    expect(trace.calls).toMatchObject([
      {
        callId: root,
        caller: 'SyncVerse',
        state: 'running',
        mode: 'queued',
        attempt: 1,
        progress: { progress: 4, total: 10, message: 'delegating' },
        children: [
          {
            callId: childId,
            parentCallId: root,
            caller: 'SyncInsight',
            state: 'completed',
            children: [{ callId: grandchild.body.error?.data.callId, state: 'refused', tool: 'nope', children: [] }],
          },
        ],
      },
      { callId: other, state: 'completed', children: [] },
    ])
    expect(JSON.stringify(trace)).not.toContain('secret')
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/tree/events?limit=1000')
    expect(trace.cursor).toBe(body.items.at(-1)?.id)
    expect(trace.lastSeq).toBe(body.items.length)
    run.complete()
  })

  test('of a call whose parent is in another trace is refused', async () => {
    const elsewhere = await echo('elsewhere')
    const answer = await callTool(hub.url, 'echo', {}, { traceId: 'here', parentCallId: elsewhere })
    expectProblem(answer, 'INVALID_PARAMS', 'request-1')
    expectProblem(await getJson(hub.url, '/traces/here'), 'NOT_FOUND')
  })

  test.each(['nothing', 'a%2Fb', '%00', 'x'.repeat(129), '{tree}'])(
    'that does not exist is a 404: %s',
    async (traceId) => {
      expectProblem(await getJson(hub.url, `/traces/${traceId}`), 'NOT_FOUND')
    },
  )
})

describe('GET /calls/{callId}', () => {
  test('shows the whole call: arguments, result, times and where to go on', async () => {
    const answer = await callTool(hub.url, 'echo', { city: 'Seoul' }, { traceId: 'call', callerAgent: 'SyncVerse' })
    const callId = String(answer.headers.get('SyncHub-Call-Id'))
    const call = await getCall(hub.url, callId)
    expect(call).toEqual({
      callId,
      traceId: 'call',
      tool: 'echo',
      agent: 'Agent',
      caller: 'SyncVerse',
      state: 'completed',
      mode: 'direct',
      attempt: 1,
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      arguments: { city: 'Seoul' },
      result: { city: 'Seoul' },
      content: [{ type: 'text', text: '{"city":"Seoul"}' }],
      isError: false,
      executionTimeMs: expect.any(Number),
      links: {
        self: `/calls/${callId}`,
        cancel: `/calls/${callId}/cancel`,
        trace: '/traces/call',
        events: '/traces/call/events',
      },
    })
    for (const link of [call.links.self, call.links.trace, call.links.events]) {
      expect((await fetch(`${hub.url}${link}`)).status).toBe(200)
    }
  })

  test('shows a call whose tool failed as completed with isError, in its trace too: it was told apart nowhere but in its result', async () => {
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'out-of-paper' })
    const run = await work.nextRun()
    run.complete(OUT_OF_PAPER)
    await until(async () => (await view('out-of-paper')).state === 'tool_failed')
    expect((await view('out-of-paper')).calls).toMatchObject([{ callId, state: 'completed', isError: true }])
    expect(await getCall(hub.url, callId)).toMatchObject({ state: 'completed', isError: true })
  })

  test('shows a call that waits or runs without a result, and one that failed with its error', async () => {
    const callId = await startCall(hub.url, 'work')
    const run = await work.nextRun()
    const running = await getCall(hub.url, callId)
    expect(running).toMatchObject({ state: 'running' })
    expect(Object.keys(running)).not.toContain('result')
    expect(Object.keys(running)).not.toContain('endedAt')
    run.fail(new Error('x'))
    await until(async () => (await getCall(hub.url, callId)).state === 'failed')
    const failed: CallView = await getCall(hub.url, callId)
    expect(failed.error).toMatchObject({ code: -32603, data: { title: 'INTERNAL_ERROR', callId } })
    expect(Object.keys(failed)).not.toContain('result')
  })

  test.each(['x', '%F0', '00000000-0000-0000-0000-000000000000', 'constructor'])('is a 404 for %s', async (callId) => {
    const answer = await getJson(hub.url, `/calls/${callId}`)
    expect(answer.status).toBe(404)
  })
})
