import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineAgent, definePrompt, defineResource } from '@synchub/agent-sdk'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { callTool } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveDefined } from '../served-agent.js'
import { askLegacy, askModern, type McpBody } from './mcp-requests.js'

const note = (host: string, ids: readonly string[]) =>
  defineResource({
    uri: `note://${host}/{id}`,
    name: `Notes of ${host}`,
    mimeType: 'text/plain',
    list: ({ cursor = '0', limit }) => {
      const [start, end] = [Number(cursor), Number(cursor) + limit]
      const entries = ids.slice(start, end).map((id) => ({ variables: { id }, name: id }))
      return { entries, ...(end < ids.length ? { nextCursor: String(end) } : {}) }
    },
    read: ({ id }) => (ids.includes(id) ? `${host} 안녕 🎉 ${id}` : undefined),
  })
const greet = definePrompt({
  name: 'greet',
  description: 'Greets.',
  arguments: [{ name: 'who', required: true }],
  write: ({ who }) => `Greet ${who}.`,
})
const manyIds = Array.from({ length: 150 }, (_, at) => String(at).padStart(3, '0'))

let hub: RunningHub

beforeAll(async () => {
  const agents = await Promise.all([
    serveDefined(
      defineAgent({
        name: 'First',
        version: '1',
        tools: [echoTool],
        resources: [note('same', ['1'])],
        prompts: [greet],
      }),
    ),
    serveDefined(
      defineAgent({
        name: 'Second',
        version: '1',
        tools: [],
        resources: [note('same', ['1']), note('many', manyIds)],
        prompts: [greet],
      }),
    ),
  ])
  const key = (name: string, tenant: string, ...scopes: string[]) => ({
    name,
    sha256: hashApiKey(name),
    tenant,
    subject: name,
    agent: 'Caller',
    scopes,
  })
  hub = await runHub({
    agents: {
      First: { url: agents[0]?.url, mode: 'direct' },
      Second: { url: `${agents[1]?.url}/mcp`, connector: 'mcp-http' },
    },
    access: {
      mode: 'keys',
      keys: [
        key('all', 't', 'tools:call', 'resources:read', 'prompts:get'),
        key('reader', 't', 'resources:read:First'),
        key('caller', 't', 'tools:call'),
        key('overseer', 't', 'traces:read:tenant'),
        key('stranger', 'other', 'tools:call', 'resources:read', 'traces:read:tenant'),
      ],
    },
  })
})

afterAll(closeAll)

const as = (who: string) => ({ Authorization: `Bearer ${who}` })
const ask = (method: string, params: JsonObject = {}, who = 'all') => askModern(hub.url, method, params, {}, as(who))
const resultOf = async (method: string, params: JsonObject = {}, who = 'all') =>
  (await ask(method, params, who)).body.result ?? {}
const listOf = async (method: string, member: string, who = 'all') =>
  (await resultOf(method, {}, who))[member] as readonly JsonObject[]

describe.each([
  ['modern', askModern],
  [
    'legacy',
    (url: string, method: string, params: JsonObject, _meta: JsonObject, headers: Record<string, string>) =>
      askLegacy(url, method, params, headers),
  ],
] as const)('resources and prompts in the %s era', (era, askEra) => {
  const askIt = (method: string, params: JsonObject) => askEra(hub.url, method, params, {}, as('all'))

  test('are read and filled as their agents have them', async () => {
    expect((await askIt('resources/read', { uri: 'note://many/007' })).body.result).toMatchObject({
      contents: [{ uri: 'note://many/007', mimeType: 'text/plain', text: 'many 안녕 🎉 007' }],
      ...(era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}),
    })
    expect((await askIt('prompts/get', { name: 'First.greet', arguments: { who: '김' } })).body.result).toMatchObject({
      description: 'Greets.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet 김.' } }],
    })
  })

  test('that are not there have the code of the revision, and the title of all', async () => {
    const uri = 'note://many/none'
    expect(await askIt('resources/read', { uri })).toMatchObject({
      status: 200,
      body: { error: { code: era === 'modern' ? -32602 : -32002, data: { title: 'NOT_FOUND', uri } } },
    })
    expect(await askIt('prompts/get', { name: 'none' })).toMatchObject({
      status: 200,
      body: { error: { code: -32602, message: 'Unknown prompt: none', data: { title: 'NOT_FOUND' } } },
    })
  })

  test('with wrong parameters are refused as such', async () => {
    const refused = (error: JsonObject = {}) => ({ status: 200, body: { error: { code: -32602, ...error } } })
    expect(await askIt('prompts/get', { name: 'First.greet' })).toMatchObject(
      refused({ data: { title: 'INVALID_PARAMS', path: 'arguments.who' } }),
    )
    expect(await askIt('prompts/get', { name: 'First.greet', arguments: { who: 7 } })).toMatchObject(refused())
    expect(
      await askIt('completion/complete', {
        ref: { type: 'ref/prompt', name: 'none' },
        argument: { name: 'a', value: '' },
      }),
    ).toMatchObject(refused({ data: { title: 'INVALID_PARAMS', path: 'ref.name' } }))
    expect(
      await askIt('completion/complete', { ref: { type: 'ref/tool' }, argument: { name: 'a', value: '' } }),
    ).toMatchObject(refused())
  })
})

describe('lists over all agents', () => {
  test('come in pages, in order, each entry once; what two agents have stands with its agent', async () => {
    const pages: McpBody['result'][] = []
    for (let cursor: unknown; pages.length === 0 || cursor !== undefined; ) {
      const page = await resultOf('resources/list', cursor === undefined ? {} : { cursor })
      pages.push(page)
      cursor = page.nextCursor
    }
    const lists = pages.map((page) => (page?.resources ?? []) as readonly JsonObject[])
    const uris = lists.flatMap((list) => list.map(({ uri }) => uri))
    expect(uris).toEqual([
      'agent://First/note://same/1',
      'agent://Second/note://same/1',
      ...manyIds.map((id) => `note://many/${id}`),
    ])
    expect(lists.map(({ length }) => length)).toEqual([100, 52])
    expect(pages[0]).toMatchObject({ cacheScope: 'private', ttlMs: expect.any(Number) })
    expect((await ask('resources/list', { cursor: 'nonsense' })).body.error).toMatchObject({ code: -32602 })
    expect((await listOf('prompts/list', 'prompts')).map(({ name }) => name)).toEqual(['First.greet', 'Second.greet'])
    expect(
      (await listOf('resources/templates/list', 'resourceTemplates')).map(({ uriTemplate }) => uriTemplate),
    ).toEqual([
      'trace://{traceId}{?owner}',
      'agent://First/note://same/{id}',
      'agent://Second/note://same/{id}',
      'note://many/{id}',
    ])
  })

  test('show and open only what a scope allows; a refusal names the scope', async () => {
    expect((await listOf('resources/list', 'resources', 'reader')).map(({ uri }) => uri)).toEqual([
      'agent://First/note://same/1',
    ])
    expect(await listOf('prompts/list', 'prompts', 'reader')).toEqual([])
    expect(await listOf('resources/list', 'resources', 'caller')).toEqual([])
    expect((await ask('resources/read', { uri: 'agent://First/note://same/1' }, 'reader')).status).toBe(200)
    expect((await ask('resources/read', { uri: 'note://many/007' }, 'reader')).body.error).toMatchObject({
      code: -32602,
      data: { title: 'NOT_FOUND' },
    })
    const refused = await ask('resources/read', { uri: 'note://many/007' }, 'caller')
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { data: { title: 'FORBIDDEN', scope: 'resources:read' } } },
    })
    expect(refused.headers.get('www-authenticate')).toMatch(/insufficient_scope.*resources:read/)
    expect((await ask('prompts/get', { name: 'First.greet' }, 'reader')).body.error).toMatchObject({
      data: { scope: 'prompts:get:First' },
    })
  })

  test('name a URI that two agents have as ambiguous, and say how to choose', async () => {
    expect((await ask('resources/read', { uri: 'note://same/1' })).body.error).toMatchObject({
      code: -32602,
      data: { path: 'uri', expected: 'one of agent://First/note://same/1, agent://Second/note://same/1' },
    })
    const { contents } = await resultOf('resources/read', { uri: 'agent://Second/note://same/1' })
    expect(contents).toMatchObject([{ uri: 'note://same/1', text: 'same 안녕 🎉 1' }])
  })
})

describe('a trace as a resource', () => {
  const readTrace = async (uri: string, who: string) => (await ask('resources/read', { uri }, who)).body

  test('is the view of the trace, for its owner and whoever may see it', async () => {
    expect((await callTool(hub.url, 'echo', { city: '서울' }, { traceId: 'trace:1.a' }, as('caller'))).status).toBe(200)
    for (const [uri, who] of [
      ['trace://trace:1.a', 'caller'],
      ['trace://trace%3A1.a', 'caller'],
      ['trace://trace:1.a?owner=caller', 'overseer'],
    ] as const) {
      const { result } = await readTrace(uri, who)
      const [content] = (result?.contents ?? []) as readonly JsonObject[]
      expect(content).toMatchObject({ uri, mimeType: 'application/json' })
      expect(JSON.parse(String(content?.text))).toMatchObject({
        traceId: 'trace:1.a',
        owner: 'caller',
        state: 'completed',
        calls: [{ tool: 'echo', state: 'completed' }],
      })
    }
  })

  test('that a reader may not see cannot be told from one that does not exist', async () => {
    const { error: hidden } = await readTrace('trace://trace:1.a', 'all')
    const { error: none } = await readTrace('trace://trace:1.b', 'all')
    expect(hidden).toMatchObject({ code: -32602, data: { title: 'NOT_FOUND' } })
    expect(JSON.stringify(hidden).replaceAll('1.a', '1.b')).toBe(JSON.stringify(none))
    for (const uri of [
      'trace://trace:1.a',
      'trace://trace:1.a?owner=caller',
      'trace://',
      'trace://%zz',
      'trace://a/b',
    ]) {
      expect((await readTrace(uri, 'stranger')).error).toMatchObject({ data: { title: 'NOT_FOUND', uri } })
    }
  })

  test("is completed by the caller's own newest traceIds", async () => {
    for (const traceId of ['deploy-1', 'deploy-2', 'other-3']) {
      await callTool(hub.url, 'echo', {}, { traceId }, as('all'))
    }
    const complete = async (value: string, who: string, name = 'traceId') => {
      const ref = { type: 'ref/resource', uri: 'trace://{traceId}{?owner}' }
      const { completion } = await resultOf('completion/complete', { ref, argument: { name, value } }, who)
      return (completion as JsonObject).values
    }
    expect(await complete('deploy-', 'all')).toEqual(['deploy-2', 'deploy-1'])
    expect(await complete('deploy-', 'overseer')).toEqual([])
    expect(await complete('', 'stranger')).toEqual([])
    expect(await complete('', 'all', 'owner')).toEqual([])
  })
})

test('what is announced in each revision is what there is', async () => {
  const offers = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  }
  const { capabilities } = await resultOf('server/discover')
  expect(capabilities).toEqual({ ...offers, extensions: { 'io.modelcontextprotocol/tasks': {} } })
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
  for (const [protocolVersion, legacyOffers] of [
    ['2025-11-25', { ...offers, tasks }],
    ['2025-06-18', offers],
  ] as const) {
    const { body } = await askLegacy(hub.url, 'initialize', { protocolVersion }, as('all'))
    expect(body.result?.capabilities).toEqual(legacyOffers)
  }
})
