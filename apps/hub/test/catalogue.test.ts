import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { callTool, getJson, postRpc, request } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { openPlace, type RunningHub, runHub, untilReady } from './running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

const direct = ({ url }: ScriptedAgent, more: JsonObject = {}): JsonObject => ({ url, mode: 'direct', ...more })

interface ListedPage {
  readonly tools: readonly (JsonObject & { readonly name: string })[]
  readonly nextCursor?: string
}

async function listPage(url: string, params: JsonObject = {}): Promise<ListedPage> {
  return (await postRpc(url, request('tools/list', params))).body.result as JsonObject & ListedPage
}

async function listNames(url: string): Promise<string[]> {
  return (await listPage(url)).tools.map(({ name }) => name)
}

async function checkOf({ url }: RunningHub, agent: string): Promise<JsonObject | undefined> {
  const { body } = await getJson<{ checks: JsonObject[] }>(url, '/readyz')
  return body.checks.find(({ name }) => name === `agent ${agent}`)
}

describe('tools/list', () => {
  test.concurrent('shows what an agent offers, how it runs and whether it is there', async () => {
    const annotations = { readOnlyHint: true }
    const outputSchema = { type: 'object', required: ['hits'] }
    const agent = await serveScript([
      toolOf('search', { title: 'Search', outputSchema, annotations }),
      toolOf('research'),
    ])
    const hub = await runHub({ agents: { Agent: direct(agent, { tools: { research: { mode: 'queued' } } }) } })
    expect((await listPage(hub.url)).tools).toEqual([
      { ...toolOf('research'), _meta: { agent: 'Agent', mode: 'queued', available: true } },
      {
        ...toolOf('search', { title: 'Search', outputSchema, annotations }),
        _meta: { agent: 'Agent', mode: 'direct', available: true },
      },
    ])
  })

  test.concurrent('comes in pages that hold every tool once', async () => {
    const names = Array.from({ length: 230 }, (_, at) => `tool-${String(at).padStart(3, '0')}`)
    const agent = await serveScript(names.toReversed().map((name) => toolOf(name)))
    const hub = await runHub({ agents: { Agent: direct(agent) } })
    // On a busy machine a list as long as this takes more than one round of discovery to be checked.
    await until(async () => {
      const { body } = await getJson<{ agents: { tools: unknown[] }[] }>(hub.url, '/agents')
      return body.agents[0]?.tools.length === names.length
    })
    const pages: ListedPage[] = []
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      const page = await listPage(hub.url, cursor === undefined ? {} : { cursor })
      pages.push(page)
      cursor = page.nextCursor
    }
    expect(pages.map(({ tools }) => tools.length)).toEqual([100, 100, 30])
    expect(pages.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(names)
  })

  test.concurrent.each(['', 'nonsense', 'dG9vbA'])('refuses the cursor %j', async (cursor) => {
    const hub = await runHub({ agents: { Agent: direct(await serveScript([toolOf('search')])) } })
    const answer = await postRpc(hub.url, request('tools/list', { cursor }))
    expectProblem(answer, 'INVALID_PARAMS', 'request-1')
    expect(answer.body.error?.data.path).toBe('cursor')
  })

  test.concurrent('of no agents at all is an empty list, and the hub is ready', async () => {
    const hub = await runHub({ agents: {} })
    expect(await listPage(hub.url)).toEqual({ tools: [] })
  })

  test.concurrent('of agents that offer nothing is an empty list', async () => {
    const hub = await runHub({ agents: { Agent: direct(await serveScript([])) } })
    expect(await listPage(hub.url)).toEqual({ tools: [] })
  })
})

describe('a name that two agents have', () => {
  test.concurrent.each([
    [['Boot', 'Insight'], 'as they were named'],
    [['Insight', 'Boot'], 'the other way round'],
  ])('is ambiguous whatever the order of %j', async (order) => {
    const servers = new Map<string, ScriptedAgent>()
    for (const name of order) servers.set(name, await serveScript([toolOf('search'), toolOf(`only-${name}`)]))
    const agents = Object.fromEntries([...servers].map(([name, agent]) => [name, direct(agent)]))
    const hub = await runHub({ agents })
    expect(await listNames(hub.url)).toEqual(['Boot.search', 'Insight.search', 'only-Boot', 'only-Insight'])

    const answer = await callTool(hub.url, 'search')
    expectProblem(answer, 'INVALID_PARAMS', 'request-1')
    expect(answer.body.error?.data).toMatchObject({
      path: 'name',
      expected: 'one of Boot.search, Insight.search, or _meta.targetAgent',
      instance: '/tools/call/search',
    })
    expect((await callTool(hub.url, 'Boot.search')).status).toBe(200)
    expect((await callTool(hub.url, 'search', {}, { targetAgent: 'Insight' })).status).toBe(200)
    expect((await callTool(hub.url, 'Boot.search', {}, { targetAgent: 'Boot' })).status).toBe(200)
    expect(servers.get('Boot')?.calls).toHaveLength(2)
    expect(servers.get('Insight')?.calls.map(({ name }) => name)).toEqual(['search'])
  })

  test.concurrent('becomes one when the second agent comes, and none again when it has lost its tool', async () => {
    const [first, second] = [await serveScript([toolOf('search')]), await serveScript([])]
    const hub = await runHub({ agents: { First: direct(first), Second: direct(second) } })
    expect(await listNames(hub.url)).toEqual(['search'])
    second.offer([toolOf('search')])
    await until(async () => (await listNames(hub.url)).length === 2)
    expect((await callTool(hub.url, 'search')).status).toBe(422)
    second.offer([])
    await until(async () => (await listNames(hub.url)).length === 1)
    expect((await callTool(hub.url, 'search')).status).toBe(200)
  })

  test.concurrent('can be called by its whole name, however long', async () => {
    const [agent, tool] = ['A'.repeat(64), 't'.repeat(128)]
    const [one, two] = [await serveScript([toolOf(tool)]), await serveScript([toolOf(tool)])]
    const hub = await runHub({ agents: { [agent]: direct(one), Other: direct(two) } })
    const [name] = await listNames(hub.url)
    expect(name).toBe(`${agent}.${tool}`)
    expect((await callTool(hub.url, `${agent}.${tool}`)).status).toBe(200)
    expect(one.calls).toHaveLength(1)
  })
})

describe('a tool that cannot be used', () => {
  test.concurrent('is refused alone, and readiness says why', async () => {
    const agent = await serveScript([
      toolOf('good', { inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }),
      toolOf('bad-type', { inputSchema: { type: 'objekt' } }),
      toolOf('remote', { inputSchema: { $ref: 'http://127.0.0.1:1/schema.json' } }),
      toolOf('dialect', { inputSchema: { $schema: 'http://json-schema.org/draft-03/schema#' } }),
      toolOf('bad-result', { outputSchema: { required: 'hits' } }),
    ])
    const hub = await runHub({ agents: { Agent: direct(agent) } })
    expect(await listNames(hub.url)).toEqual(['good'])
    const check = await checkOf(hub, 'Agent')
    expect(check).toMatchObject({ ok: true })
    for (const name of ['bad-type', 'remote', 'dialect', 'bad-result']) {
      expect(String(check?.detail)).toContain(`tool ${name} refused: `)
      const answer = await callTool(hub.url, name)
      expectProblem(answer, 'CONTRACT_BROKEN', 'request-1')
      expect(answer.body.error?.message).toContain(name)
    }
    expect((await callTool(hub.url, 'good', { city: 7 })).body.error?.message).toBe(
      'Invalid params: city must be a string',
    )
    expect((await callTool(hub.url, 'good', { city: 'Seoul' })).status).toBe(200)
  })
})

describe('a name that stands for nothing', () => {
  test.concurrent('is refused and recorded as received and refused', async () => {
    const hub = await runHub({ agents: { Agent: direct(await serveScript([toolOf('search')])) } })
    const answer = await callTool(hub.url, 'nope', { secret: 1 }, { traceId: 'nope' })
    expectProblem(answer, 'METHOD_NOT_FOUND', 'request-1')
    expect(answer.body.error?.data).toMatchObject({ instance: '/tools/call/nope', traceId: 'nope' })
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/nope/events')
    expect(body.items.map(({ event }) => event)).toEqual(['received', 'refused'])
    expect(JSON.stringify(body)).not.toContain('secret')
    const callId = answer.body.error?.data.callId
    expect((await getJson<JsonObject>(hub.url, `/calls/${callId}`)).body).toMatchObject({
      state: 'refused',
      attempt: 0,
      error: { code: -32601 },
    })
  })

  test.concurrent('of an agent that is not configured is refused the same', async () => {
    const hub = await runHub({ agents: { Agent: direct(await serveScript([toolOf('search')])) } })
    const answer = await callTool(hub.url, 'search', {}, { targetAgent: 'Nobody' })
    expectProblem(answer, 'METHOD_NOT_FOUND', 'request-1')
    expect(answer.body.error?.message).toContain('target agent Nobody')
    expectProblem(await callTool(hub.url, 'Nobody.search'), 'METHOD_NOT_FOUND', 'request-1')
    expectProblem(await callTool(hub.url, 'Agent.nope'), 'METHOD_NOT_FOUND', 'request-1')
  })
})

describe('an agent that is down', () => {
  test.concurrent('makes its tools answer 503, recorded, and comes back by itself', async () => {
    const agent = await serveScript([toolOf('search')])
    const hub = await runHub({ agents: { Agent: direct(agent) } })
    await agent.goDown()
    await until(async () => (await checkOf(hub, 'Agent'))?.ok === false)
    expect((await listPage(hub.url)).tools).toMatchObject([{ name: 'search', _meta: { available: false } }])

    const key = { idempotencyKey: 'again', traceId: 'down' }
    const answer = await callTool(hub.url, 'search', {}, key)
    expectProblem(answer, 'AGENT_UNAVAILABLE', 'request-1')
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/down/events')
    expect(body.items.map(({ event }) => event)).toEqual(['received', 'refused'])

    await agent.comeBack()
    await until(async () => (await checkOf(hub, 'Agent'))?.ok === true)
    // The refusal has given the key back.
    const again = await callTool(hub.url, 'search', {}, key)
    expect(again.status).toBe(200)
    expect(again.body.result?._meta).not.toHaveProperty('replayed')
    expect(agent.calls).toHaveLength(1)
  })

  test.concurrent('keeps no key of a call waiting for one of which nothing was recorded, since its trace had no room', async () => {
    const agent = await serveScript([toolOf('search')])
    await agent.goDown()
    const limits = { maxTraceBytes: 65_536 }
    const place = await openPlace({ limits, agents: { Agent: direct(agent, { tools: { search: {} } }) } })
    const { url } = await place.startHub()
    const key = { idempotencyKey: 'large', timeoutMs: 2000 }
    const tooLarge = await callTool(url, 'search', { text: 'x'.repeat(65_536) }, key)
    expectProblem(tooLarge, 'PAYLOAD_TOO_LARGE', 'request-1')
    expectProblem(await callTool(url, 'search', {}, key), 'AGENT_UNAVAILABLE', 'request-1')
  })

  test.concurrent('from the start has the tools that the configuration names', async () => {
    const agent = await serveScript([toolOf('search')])
    await agent.goDown()
    const place = await openPlace({ agents: { Agent: direct(agent, { tools: { search: {} } }) } })
    const { url } = await place.startHub()
    expectProblem(await callTool(url, 'search'), 'AGENT_UNAVAILABLE', 'request-1')
    await place.startDispatcher()
    await untilReady(url)
    expectProblem(await callTool(url, 'search'), 'AGENT_UNAVAILABLE', 'request-1')
    expectProblem(await callTool(url, 'anything', {}, { targetAgent: 'Agent' }), 'AGENT_UNAVAILABLE', 'request-1')
    expectProblem(await callTool(url, 'anything'), 'METHOD_NOT_FOUND', 'request-1')
    await agent.comeBack()
    await until(async () => (await callTool(url, 'search')).status === 200)
  })
})
