import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { watchTrace } from '../event-reader.js'
import { getCall, type SentHeaders } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { askLegacy, askModern, modernRequest, postMcpText, streamMcp } from './mcp-requests.js'

const EXTENSION = 'io.modelcontextprotocol/tasks'
const TAKES_TASKS = { [META_KEYS.clientCapabilities]: { extensions: { [EXTENSION]: {} } } }
const work = steeredTool('work')
let hub: RunningHub
let otherUrl: string

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  const key = (name: string, more: JsonObject = {}) => ({
    name,
    sha256: hashApiKey(name),
    tenant: 't',
    agent: name,
    scopes: ['tools:call'],
    ...more,
  })
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } },
    limits: { maxWaitMs: 1000, defaultWaitMs: 500 },
    access: { mode: 'keys', keys: [key('owner'), key('other'), key('foreign', { tenant: 'u' })] },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

const OWNER = { Authorization: 'Bearer owner' }
const modern = (method: string, params: JsonObject, meta: JsonObject = TAKES_TASKS, headers = OWNER, url = hub.url) =>
  askModern(url, method, params, meta, headers)
const legacy = (method: string, params: JsonObject, headers: SentHeaders = OWNER) =>
  askLegacy(hub.url, method, params, headers)
const resultAsJson = (taskId: unknown) => legacy('tasks/result', { taskId }, { ...OWNER, Accept: 'application/json' })
const resultOf = (answer: { readonly body: { readonly result?: JsonObject } }) => answer.body.result ?? {}

async function startModern(meta: JsonObject = {}): Promise<JsonObject> {
  return resultOf(await modern('tools/call', { name: 'work', arguments: {} }, { ...TAKES_TASKS, ...meta }))
}

async function startLegacy(task: JsonObject = {}): Promise<JsonObject> {
  return resultOf(await legacy('tools/call', { name: 'work', arguments: {}, task })).task as JsonObject
}

describe('a long call of a modern client that takes tasks', () => {
  test('is answered by a task that can be read at once, from any hub', async () => {
    const created = await startModern({ progressToken: 1 })
    expect(created).toEqual({
      resultType: 'task',
      taskId: expect.any(String),
      status: 'working',
      statusMessage: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      lastUpdatedAt: expect.stringMatching(/Z$/),
      // Not null, which would promise that it is kept for ever: ended calls are kept for a week.
      ttlMs: 604_800_000,
      pollIntervalMs: 1000,
      _meta: expect.objectContaining({ callId: created.taskId, traceId: expect.any(String) }),
    })
    const { taskId } = created
    const read = resultOf(await modern('tasks/get', { taskId }, TAKES_TASKS, OWNER, otherUrl))
    expect(read).toMatchObject({ resultType: 'complete', taskId, status: 'working' })
    expect(read).not.toHaveProperty('result')
    const run = await work.nextRun()
    run.ctx.progress({ progress: 25, total: 100, message: 'reading' })
    await until(async () => resultOf(await modern('tasks/get', { taskId })).statusMessage === '25 of 100: reading')
    const later = resultOf(await modern('tasks/get', { taskId }))
    expect(Date.parse(String(later.lastUpdatedAt))).toBeGreaterThanOrEqual(Date.parse(String(created.lastUpdatedAt)))
    run.complete('done')
    await until(async () => resultOf(await modern('tasks/get', { taskId })).status !== 'working')
    const ended = resultOf(await modern('tasks/get', { taskId }, TAKES_TASKS, OWNER, otherUrl))
    expect(ended).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }], isError: false } })
  })

  test('that fails as a tool is completed; one that fails otherwise has its error', async () => {
    for (const [end, expected] of [
      ['tool', { status: 'completed', result: { isError: true } }],
      ['error', { status: 'failed', error: { code: -32603, data: { title: 'INTERNAL_ERROR' } } }],
    ] as const) {
      const { taskId } = await startModern()
      const run = await work.nextRun()
      if (end === 'tool') run.complete({ content: [{ type: 'text', text: 'no' }], isError: true })
      else run.fail(new Error('broken'))
      await until(async () => resultOf(await modern('tasks/get', { taskId })).status !== 'working')
      expect(resultOf(await modern('tasks/get', { taskId }))).toMatchObject(expected)
    }
  })

  test('is cancelled by tasks/cancel, which says nothing else and may come again', async () => {
    const { taskId } = await startModern()
    const run = await work.nextRun()
    for (let time = 0; time < 2; time++) {
      const { resultType, _meta: _own, ...rest } = resultOf(await modern('tasks/cancel', { taskId }))
      expect([resultType, rest]).toEqual(['complete', {}])
    }
    await until(() => run.ctx.signal.aborted)
    const ended = resultOf(await modern('tasks/get', { taskId }))
    expect([ended.status, 'error' in ended, 'result' in ended]).toEqual(['cancelled', false, false])
  })

  test('goes on when the client that has its task goes away', async () => {
    const { frame, headers } = modernRequest('tools/call', { name: 'work', arguments: {} }, TAKES_TASKS)
    const controller = new AbortController()
    const answer = await postMcpText(hub.url, JSON.stringify(frame), { ...headers, ...OWNER }, controller.signal)
    const { result } = (await answer.json()) as { result: JsonObject }
    controller.abort()
    const run = await work.nextRun()
    run.complete()
    const stateOf = async () => (await getCall(hub.url, String(result.taskId), OWNER)).state
    await until(async () => (await stateOf()) !== 'running')
    expect(await stateOf()).toBe('completed')
  })

  test('that was over before it is repeated has its answer at once', async () => {
    const created = await startModern({ idempotencyKey: 'once' })
    const repeated = await startModern({ idempotencyKey: 'once' })
    expect([repeated.resultType, repeated.taskId]).toEqual(['task', created.taskId])
    const run = await work.nextRun()
    run.complete('done')
    await until(async () => resultOf(await modern('tasks/get', { taskId: created.taskId })).status === 'completed')
    expect(await startModern({ idempotencyKey: 'once' })).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'done' }],
    })
  })

  test('is watched as a trace by others, who see the same call end the same way', async () => {
    const { taskId, _meta: meta } = await startModern()
    const { traceId } = meta as JsonObject
    const watched = await watchTrace(otherUrl, `${String(traceId)}/events`, OWNER)
    const run = await work.nextRun()
    run.complete('done')
    await watched.over
    expect(new Set(watched.events.map(({ data }) => data.callId ?? taskId))).toEqual(new Set([taskId]))
    expect(watched.events.find(({ event }) => event === 'complete')?.data).toMatchObject({
      content: [{ text: 'done' }],
    })
  })
})

describe('a client that does not take tasks', () => {
  test('gets no task, whatever it sends of the other era', async () => {
    const asked = modern('tools/call', { name: 'work', arguments: {}, task: { ttl: 1000 } }, {})
    const run = await work.nextRun()
    run.complete('done')
    expect(resultOf(await asked)).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] })
  })

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('may not use %s', async (method) => {
    const { status, body } = await modern(method, { taskId: 'x' }, {})
    expect([status, body.error?.code]).toEqual([400, -32021])
    expect(body.error?.data).toMatchObject({ requiredCapabilities: { extensions: { [EXTENSION]: {} } } })
  })
})

test('a client of the revision before tasks makes none', async () => {
  const headers = { ...OWNER, 'MCP-Protocol-Version': '2025-06-18' }
  const asked = legacy('tools/call', { name: 'work', arguments: {}, task: {} }, headers)
  const run = await work.nextRun()
  run.complete('done')
  expect(resultOf(await asked)).toMatchObject({ content: [{ text: 'done' }] })
})

describe('a short call', () => {
  test('makes no task in the modern era, and refuses one in the legacy era', async () => {
    expect(resultOf(await modern('tools/call', { name: 'echo', arguments: {} })).resultType).toBe('complete')
    const { status, body } = await legacy('tools/call', { name: 'echo', arguments: {}, task: {} })
    expect([status, body.error?.code]).toEqual([200, -32601])
  })

  test('cannot be read as one', async () => {
    const { _meta: meta } = resultOf(await modern('tools/call', { name: 'echo', arguments: {} }))
    const { body } = await modern('tasks/get', { taskId: (meta as JsonObject).callId })
    expect(body.error?.code).toBe(-32602)
  })
})

describe('a task of the legacy era', () => {
  test('is made because the client asks for it, and shown in its form', async () => {
    const task = await startLegacy({ ttl: 60_000 })
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1000 })
    const { taskId } = task
    expect(resultOf(await legacy('tasks/get', { taskId }))).toMatchObject({ taskId, status: 'working', ttl: 60_000 })
    const waiting = await streamMcp(
      otherUrl,
      { jsonrpc: '2.0', id: 'wait', method: 'tasks/result', params: { taskId, task: { taskId } } },
      { ...OWNER, 'MCP-Protocol-Version': '2025-11-25' },
    )
    const run = await work.nextRun()
    run.complete('done')
    await waiting.over
    expect(waiting.messages).toMatchObject([
      {
        id: 'wait',
        result: { content: [{ text: 'done' }], _meta: { [META_KEYS.relatedTask]: { taskId }, callId: taskId } },
      },
    ])
    expect(resultOf(await legacy('tasks/get', { taskId })).status).toBe('completed')
    const { tasks } = resultOf(await legacy('tasks/list', {})) as { readonly tasks: readonly JsonObject[] }
    expect(tasks).toContainEqual(expect.objectContaining({ taskId, status: 'completed' }))
  })

  test('has failed when its tool has', async () => {
    const { taskId } = await startLegacy()
    const run = await work.nextRun()
    run.complete({ content: [{ type: 'text', text: 'no' }], isError: true })
    expect(resultOf(await resultAsJson(taskId))).toMatchObject({ isError: true })
    expect((await legacy('tasks/cancel', { taskId })).body.error?.message).toContain('The tool failed.')
    expect(resultOf(await legacy('tasks/get', { taskId })).status).toBe('failed')
  })

  test('answers its error as the result', async () => {
    const { taskId } = await startLegacy()
    const run = await work.nextRun()
    run.fail(new Error('broken'))
    expect((await resultAsJson(taskId)).body.error).toMatchObject({ code: -32603 })
  })

  test('is cancelled once', async () => {
    const { taskId } = await startLegacy()
    await work.nextRun()
    expect(resultOf(await legacy('tasks/cancel', { taskId }))).toMatchObject({ taskId, status: 'cancelled' })
    expect((await legacy('tasks/cancel', { taskId })).body.error?.code).toBe(-32602)
  })

  test('can be read for the time that was asked for', async () => {
    const { taskId } = await startLegacy({ ttl: 1 })
    const run = await work.nextRun()
    run.complete()
    await until(async () => (await legacy('tasks/get', { taskId })).body.error?.code === -32602)
    const { tasks } = resultOf(await legacy('tasks/list', {})) as { readonly tasks: readonly JsonObject[] }
    expect(tasks.map((task) => task.taskId)).not.toContain(taskId)
  })

  test('is promised for no longer than ended calls are kept, and says so', async () => {
    const { maxAgeMs } = hub.config.retention
    const task = await startLegacy({ ttl: 1e15 })
    await work.nextRun()
    expect(task.ttl).toBe(maxAgeMs)
    expect(resultOf(await legacy('tasks/cancel', { taskId: task.taskId })).ttl).toBe(maxAgeMs)
  })

  test.each([[{ ttl: -1 }], [{ ttl: 0 }], [{ ttl: '1000' }], [{ ttl: 1.5 }], [null]])('may not be %j', async (task) => {
    const { body } = await legacy('tools/call', { name: 'work', arguments: {}, task })
    expect([body.error?.code, body.error?.data?.path]).toEqual([-32602, task === null ? 'task' : 'task.ttl'])
  })
})

describe('a task of somebody else', () => {
  test('looks like one that never was', async () => {
    const { taskId } = await startModern()
    const run = await work.nextRun()
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const name of ['other', 'foreign']) {
        const headers = { Authorization: `Bearer ${name}` }
        const strange = await modern(method, { taskId }, TAKES_TASKS, headers)
        const missing = await modern(method, { taskId: 'no-such' }, TAKES_TASKS, headers)
        expect([strange.status, strange.body.error?.code]).toEqual([200, -32602])
        expect(JSON.stringify(strange.body).replaceAll(String(taskId), 'no-such')).toBe(JSON.stringify(missing.body))
      }
    }
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const headers = { Authorization: 'Bearer other' }
      const [strange, missing] = [
        await legacy(method, { taskId }, headers),
        await legacy(method, { taskId: 'no-such' }, headers),
      ]
      expect([strange.status, strange.body.error?.code]).toEqual([200, -32602])
      expect(JSON.stringify(strange.body).replaceAll(String(taskId), 'no-such')).toBe(JSON.stringify(missing.body))
    }
    expect(run.ctx.signal.aborted).toBe(false)
    const { tasks } = resultOf(await legacy('tasks/list', {}, { Authorization: 'Bearer other' }))
    expect(tasks).toEqual([])
    run.complete()
  })
})

test('tasks are announced in the revisions that have them', async () => {
  const discovered = resultOf(await modern('server/discover', {}))
  expect(discovered.capabilities).toMatchObject({ extensions: { [EXTENSION]: {} } })
  expect(discovered.capabilities).not.toHaveProperty('tasks')
  const open = async (protocolVersion: string) =>
    resultOf(await legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: {} })).capabilities
  expect(await open('2025-11-25')).toHaveProperty('tasks.requests.tools.call')
  expect(await open('2025-06-18')).not.toHaveProperty('tasks')
  const { tools } = resultOf(await legacy('tools/list', {})) as { readonly tools: readonly JsonObject[] }
  expect(tools.map(({ name, execution }) => [name, execution])).toEqual([
    ['echo', undefined],
    ['work', { taskSupport: 'optional' }],
  ])
})
