import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { hashApiKey } from '@synchub/auth'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { atEnd, closeAll } from '../cleanup.js'
import { callTool } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from '../scripted-agent.js'
import { serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { askModern, type McpStream, modernRequest, postMcp, streamMcp } from './mcp-requests.js'

const EXTENSION = 'io.modelcontextprotocol/tasks'
const TAKES_TASKS = { [META_KEYS.clientCapabilities]: { extensions: { [EXTENSION]: {} } } }
const ALL = { Authorization: 'Bearer all' }
const work = steeredTool('work')
let hub: RunningHub
let otherUrl: string
let changing: ScriptedAgent

beforeAll(async () => {
  changing = await serveScript([toolOf('first')])
  const agent = await serveTools([work.tool])
  hub = await runHub({
    agents: { Changing: { url: changing.url, mode: 'direct' }, Agent: { url: agent.url } },
    access: {
      mode: 'keys',
      keys: [
        {
          name: 'all',
          sha256: hashApiKey('all'),
          tenant: 't',
          agent: 'All',
          scopes: ['tools:call', 'prompts:get', 'resources:read'],
        },
        { name: 'part', sha256: hashApiKey('part'), tenant: 't', agent: 'Part', scopes: ['tools:call:work'] },
      ],
    },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

/** Where, as whom and with what is listened. */
interface ListenOptions {
  readonly url?: string
  readonly id?: unknown
  readonly headers?: Record<string, string>
  readonly meta?: JsonObject
}

function listen(filter: JsonObject, { url = hub.url, id = 'listen-1', headers = ALL, meta = {} }: ListenOptions = {}) {
  const request = modernRequest('subscriptions/listen', { notifications: filter }, meta, id)
  return streamMcp(url, request.frame, { ...request.headers, ...headers })
}

const namesIn = (result: JsonObject = {}) => (result.tools as JsonObject[]).map(({ name }) => name)
const methodsOf = ({ messages }: McpStream) => messages.map(({ method }) => method)

describe('subscriptions/listen', () => {
  test('acknowledges first, with what it keeps of the wish, under the id of the request: 0 too', async () => {
    const stream = await listen({ toolsListChanged: true, promptsListChanged: false, noSuchKind: true }, { id: 0 })
    await until(() => stream.messages.length === 1)
    expect(stream.messages[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [META_KEYS.subscriptionId]: 0 } },
    })
    stream.leave()
    await stream.over
  })

  test('tells every hub which lists change, and only those who may use what is in them and asked', async () => {
    const every = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
    const here = await listen(every)
    const there = await listen(every, { url: otherUrl })
    const unconcerned = await listen(every, { headers: { Authorization: 'Bearer part' } })
    const others = await listen({ promptsListChanged: true })
    for (const stream of [here, there, unconcerned, others]) await until(() => stream.messages.length === 1)
    changing.offer([toolOf('first'), toolOf('second')], {
      prompts: [{ name: 'greet' }],
      resources: [{ uri: 'note://1', name: 'One' }],
    })
    for (const stream of [here, there]) {
      await until(() => stream.messages.length === 4)
      const told = (method: string) => ({
        jsonrpc: '2.0',
        method: `notifications/${method}/list_changed`,
        params: { _meta: { [META_KEYS.subscriptionId]: 'listen-1' } },
      })
      expect(stream.messages.slice(1)).toEqual(['tools', 'prompts', 'resources'].map(told))
    }
    const { body } = await askModern(otherUrl, 'tools/list', {}, {}, ALL)
    expect(namesIn(body.result)).toEqual(['first', 'second', 'work'])
    expect(methodsOf(others).slice(1)).toEqual(['notifications/prompts/list_changed'])
    expect(unconcerned.messages).toHaveLength(1)
    for (const stream of [here, there, unconcerned, others]) stream.leave()
  })

  test('tells every hub of the traces that change, each under the URI that it was asked for', async () => {
    const uris = ['trace://a%3Ab', 'trace://a:b', 'trace://a:b?owner=All', 'trace://a:b?owner=Part']
    const filter = { resourceSubscriptions: [...uris, 'trace://not:b', 'trace://%zz', 'trace://a/b', 'note://1'] }
    const streams = [await listen(filter), await listen(filter, { url: otherUrl })]
    for (const { messages } of streams) {
      await until(() => messages.length === 1)
      expect(messages[0]?.params).toMatchObject({
        notifications: { resourceSubscriptions: [...uris, 'trace://not:b'] },
      })
    }
    expect((await callTool(hub.url, 'first', {}, { traceId: 'a:b' }, ALL)).status).toBe(200)
    for (const stream of streams) {
      await until(() => stream.messages.length >= 4)
      const told = stream.messages.slice(1).map(({ method, params }) => [method, (params as JsonObject).uri])
      const expected = uris.slice(0, 3).map((uri) => ['notifications/resources/updated', uri])
      expect(new Set(told.map(String))).toEqual(new Set(expected.map(String)))
      stream.leave()
    }
  })

  test('tells how a task stands until it is over, and nothing of the tasks of others', async () => {
    const call = modernRequest('tools/call', { name: 'work', arguments: {} }, TAKES_TASKS)
    const created = await postMcp(hub.url, call.frame, { ...call.headers, ...ALL })
    const taskId = String(created.body.result?.taskId)
    const run = await work.nextRun()
    const stream = await listen({ taskIds: [taskId, 'no-such'] }, { url: otherUrl, meta: TAKES_TASKS })
    const stranger = await listen(
      { taskIds: [taskId] },
      { meta: TAKES_TASKS, headers: { Authorization: 'Bearer part' } },
    )
    await until(() => stream.messages.length === 2 && stranger.messages.length === 1)
    expect(stream.messages[0]).toMatchObject({ params: { notifications: { taskIds: [taskId] } } })
    expect(stranger.messages[0]).toMatchObject({ params: { notifications: { taskIds: [] } } })
    run.ctx.progress({ progress: 1, total: 2, message: 'half' })
    const last = () => (stream.messages.at(-1)?.params ?? {}) as JsonObject
    await until(() => last().statusMessage === '1 of 2: half')
    run.complete('done')
    await until(() => last().status === 'completed')
    expect(last()).toMatchObject({
      taskId,
      result: { content: [{ text: 'done' }] },
      _meta: { [META_KEYS.subscriptionId]: 'listen-1' },
    })
    expect(new Set(methodsOf(stream).slice(1))).toEqual(new Set(['notifications/tasks']))
    expect(stranger.messages).toHaveLength(1)
    stream.leave()
    stranger.leave()
  })

  test('of tasks needs the extension', async () => {
    const { status, body } = await askModern(
      hub.url,
      'subscriptions/listen',
      { notifications: { taskIds: ['x'] } },
      {},
      ALL,
    )
    expect([status, body.error?.code]).toEqual([400, -32021])
  })

  test.each([[{ taskIds: 'x' }], [{ taskIds: [7] }]])('refuses the filter %j', async (notifications) => {
    const { body } = await askModern(hub.url, 'subscriptions/listen', { notifications }, TAKES_TASKS, ALL)
    expect(body.error?.code).toBe(-32602)
  })

  test.each(['taskIds', 'resourceSubscriptions'])('refuses more than 100 %s', async (kind) => {
    const ask = (count: number) => {
      const names = Array.from({ length: count }, (_, number) => `trace://${number}`)
      return listen({ [kind]: names }, { meta: TAKES_TASKS })
    }
    const most = await ask(100)
    most.leave()
    await expect(ask(101)).rejects.toThrow(`"path":"notifications.${kind}"`)
  })

  test('needs a client that reads streams', async () => {
    const headers = { ...ALL, Accept: 'application/json' }
    const { status, body } = await askModern(hub.url, 'subscriptions/listen', {}, {}, headers)
    expect([status, body.error?.data?.title]).toEqual([200, 'NOT_ACCEPTABLE'])
  })

  test('ends with its result when the hub stops', async () => {
    const third = await hub.startHub()
    const stream = await listen({ toolsListChanged: true }, { url: third.url })
    await until(() => stream.messages.length === 1)
    await third.stop()
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({
      id: 'listen-1',
      result: { resultType: 'complete', _meta: { [META_KEYS.subscriptionId]: 'listen-1' } },
    })
  })
})

test('the client 2.4 is told that the tools have changed', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers: ALL } })
  await client.connect(transport)
  atEnd(() => client.close())
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes++
  })
  const subscription = await client.listen({ toolsListChanged: true })
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
  changing.offer([toolOf('first'), toolOf('third')])
  await until(() => changes === 1)
  await subscription.close()
})
