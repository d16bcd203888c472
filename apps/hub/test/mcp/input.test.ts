import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import { sweepCall } from '@synchub/core'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { createCallIndex, createCallLog, createCancelBroadcast, createClaims, openAgentQueues } from '@synchub/redis'
import { systemClock } from '@synchub/telemetry'
import { atEnd, closeAll } from '../cleanup.js'
import { callTool, getCall, getJson, type SentHeaders } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { until } from '../until.js'
import { type AskingAgent, asking, saying, serveAsking } from './asking-agent.js'
import { askLegacy, askModern } from './mcp-requests.js'
import { connectAnswering } from './stock-clients.js'

const OWNER = { Authorization: 'Bearer owner' }
const ELICITS = { [META_KEYS.clientCapabilities]: { elicitation: {} } }
const TAKES_TASKS = {
  [META_KEYS.clientCapabilities]: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
}
const NAMED = { action: 'accept', content: { name: 'Kim' } }

let agent: AskingAgent
let hub: RunningHub
let otherUrl: string

beforeAll(async () => {
  agent = await serveAsking(['short', 'long', 'job', 'first'])
  const key = (name: string, scopes = ['tools:call', 'prompts:get']) => ({
    name,
    sha256: hashApiKey(name),
    tenant: 't',
    agent: name,
    scopes,
  })
  hub = await runHub({
    agents: {
      Agent: {
        connector: 'mcp-http',
        url: agent.url,
        tools: { short: { mode: 'direct' }, job: { taskOnly: true }, first: { asksFirst: true } },
      },
    },
    limits: { maxWaitMs: 5000, defaultWaitMs: 5000 },
    access: { mode: 'keys', keys: [key('owner'), key('other', ['tools:call', 'prompts:get', 'traces:read:tenant'])] },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

beforeEach(() => {
  agent.behave(({ inputResponses, requestState }) => {
    if (inputResponses?.who === undefined) return asking(['who'], 'state of the agent')
    const { content } = inputResponses.who as { content: JsonObject }
    return saying(`Hello, ${String(content.name)}, with the ${String(requestState)}`)
  })
})

const call = (
  name: string,
  more: JsonObject = {},
  { meta = ELICITS, headers = OWNER, url = hub.url }: { meta?: JsonObject; headers?: SentHeaders; url?: string } = {},
) => askModern(url, 'tools/call', { name, arguments: { a: 1 }, ...more }, meta, headers)

async function begin(name: string): Promise<string> {
  const { body } = await call(name)
  expect(body.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create' } },
  })
  return String(body.result?.requestState)
}

describe.each(['short', 'long'])('what the agent of a %s tool asks', (name) => {
  test('is asked of the client, and its answer goes back with the state of the agent, at any hub', async () => {
    const requestState = await begin(name)
    expect(requestState).not.toContain('state of the agent')
    const { body } = await call(name, { inputResponses: { who: NAMED, more: NAMED }, requestState }, { url: otherUrl })
    expect(body.result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Hello, Kim, with the state of the agent' }],
    })
    expect(agent.calls.at(-1)).toMatchObject({ arguments: { a: 1 }, inputResponses: { who: NAMED } })
    const { callId, traceId } = body.result?._meta ?? {}
    expect((await getCall(hub.url, String(callId), OWNER)).state).toBe('completed')
    const { body: page } = await getJson<{ items: { event: string; data: JsonObject }[] }>(
      hub.url,
      `/traces/${String(traceId)}/events`,
      OWNER,
    )
    expect(page.items.map(({ event }) => event)).toEqual(
      name === 'short'
        ? ['received', 'accepted', 'started', 'input_requested', 'input_received', 'started', 'complete']
        : ['received', 'accepted', 'started', 'input_requested', 'input_received', 'accepted', 'started', 'complete'],
    )
    expect(JSON.stringify(page.items)).not.toContain('"Kim"}')
  })

  test('is asked again where nothing answers it', async () => {
    const requestState = await begin(name)
    const { body } = await call(name, { inputResponses: { else: NAMED, who: 'Kim' }, requestState })
    expect(body.result).toMatchObject({ resultType: 'input_required', inputRequests: { who: expect.anything() } })
    const again = String(body.result?.requestState)
    expect((await call(name, { inputResponses: { who: NAMED }, requestState: again })).body.result?.resultType).toBe(
      'complete',
    )
  })
})

test('an answer with an action that there is none of went to the agent: whoever gave it is told, and may answer again', async () => {
  const requestState = await begin('short')
  const calls = agent.calls.length
  const { body } = await call('short', { inputResponses: { who: { action: 'explode' } }, requestState })
  expect([body.error?.code, body.error?.data?.path]).toEqual([-32602, 'inputResponses.who.action'])
  expect(agent.calls.length).toBe(calls)
  expect((await call('short', { inputResponses: { who: NAMED }, requestState })).body.result?.isError).toBe(false)
})

test('the agent is told of the trace as W3C names it', async () => {
  const w3c = '4bf92f3577b34da6a3ce929d0e0e4736'
  agent.behave(() => saying('ok'))
  const meta = { ...ELICITS, traceparent: `00-${w3c}-00f067aa0ba902b7-01` }
  const { body } = await call('short', {}, { meta })
  expect(agent.calls.at(-1)?.traceparent).toBe(body.result?._meta?.traceparent)
  expect(String(body.result?._meta?.traceparent)).toMatch(new RegExp(`^00-${w3c}-[0-9a-f]{16}-01$`))
})

describe('a state', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['of other arguments', { arguments: { a: 2 } }, {}],
    ['of another tool', { name: 'long' }, {}],
    ['of another caller', {}, { headers: { Authorization: 'Bearer other' } }],
    ['that nobody has made', { requestState: 'nonsense' }, {}],
    ['that is no text, which began the call anew,', { requestState: 5 }, {}],
    ['that was changed', { requestState: 'changed' }, {}],
    ['that something was added to', { requestState: 'added' }, {}],
  ])('%s does not hold', async (_case, more, around) => {
    const requestState = await begin('short')
    const changed = new Map([
      ['changed', `${requestState.slice(0, -2)}xx`],
      ['added', `${requestState}.x`],
    ])
    const sent = { ...more, requestState: changed.get(String(more.requestState)) ?? more.requestState ?? requestState }
    const { status, body } = await call('short', { inputResponses: { who: NAMED }, ...sent }, around)
    expect([status, body.error?.code, body.error?.data?.path]).toEqual([200, -32602, 'requestState'])
    expect((await call('short', { inputResponses: { who: NAMED }, requestState })).body.result?.isError).toBe(false)
  })

  test('holds once', async () => {
    const requestState = await begin('short')
    const answers = await Promise.all(
      [hub.url, otherUrl, hub.url].map((url) =>
        call('short', { inputResponses: { who: NAMED }, requestState }, { url }),
      ),
    )
    expect(answers.filter(({ body }) => body.error?.code === -32602)).toHaveLength(2)
  })
})

describe('a caller that cannot be asked', () => {
  test('is told which capability it lacks, and the agent is told before', async () => {
    const { status, body } = await call('short', {}, { meta: {} })
    expect([status, body.error?.code]).toEqual([400, -32021])
    expect(body.error?.data).toMatchObject({ title: 'CAPABILITY_MISSING', requiredCapabilities: { elicitation: {} } })
    expect(agent.calls.at(-1)?.capabilities).toEqual({})
  })

  test('of the legacy era, or of the native surface, gets an error of its own', async () => {
    const legacy = await askLegacy(hub.url, 'tools/call', { name: 'short', arguments: {} }, OWNER)
    expect([legacy.status, legacy.body.error?.data?.title]).toEqual([200, 'CAPABILITY_MISSING'])
    const native = await callTool(hub.url, 'short', {}, {}, OWNER)
    expect([native.status, native.body.error?.data.title]).toEqual([400, 'CAPABILITY_MISSING'])
  })

  test('may not take over what another request of it was asked', async () => {
    const requestState = await begin('short')
    const { status, body } = await call('short', { requestState }, { meta: {} })
    expect([status, body.error?.code]).toEqual([400, -32021])
  })
})

describe('a task whose agent asks', () => {
  const modern = (method: string, params: JsonObject, headers = OWNER) =>
    askModern(hub.url, method, params, TAKES_TASKS, headers)
  const stateOf = async (taskId: unknown) => (await modern('tasks/get', { taskId })).body.result ?? {}

  test('shows what is open, takes answers one by one from its owner, and goes on with the last', async () => {
    agent.behave(({ inputResponses = {} }) =>
      inputResponses.first && inputResponses.second ? saying('both') : asking(['first', 'second']),
    )
    const { taskId } = (await call('long', {}, { meta: TAKES_TASKS })).body.result ?? {}
    await until(async () => (await stateOf(taskId)).status === 'input_required')
    expect(Object.keys((await stateOf(taskId)).inputRequests as JsonObject)).toEqual(['first', 'second'])
    const foreign = await modern(
      'tasks/update',
      { taskId, inputResponses: { first: NAMED } },
      { Authorization: 'Bearer other' },
    )
    expect(foreign.body.error?.code).toBe(-32602)
    const update = await modern('tasks/update', { taskId, inputResponses: { first: NAMED, nobody: NAMED } })
    expect(update.body.result).toMatchObject({ resultType: 'complete' })
    expect(await stateOf(taskId)).toMatchObject({
      status: 'input_required',
      inputRequests: { second: expect.anything() },
    })
    expect((await stateOf(taskId)).inputRequests).not.toHaveProperty('first')
    await modern('tasks/update', { taskId, inputResponses: { second: NAMED } })
    await until(async () => (await stateOf(taskId)).status === 'completed')
    expect(await stateOf(taskId)).toMatchObject({ result: { content: [{ text: 'both' }] } })
    expect((await modern('tasks/update', { taskId, inputResponses: { second: NAMED } })).body.result?.resultType).toBe(
      'complete',
    )
  })

  test('can be cancelled while it waits', async () => {
    const { taskId } = (await call('long', {}, { meta: TAKES_TASKS })).body.result ?? {}
    await until(async () => (await stateOf(taskId)).status === 'input_required')
    await modern('tasks/cancel', { taskId })
    expect((await stateOf(taskId)).status).toBe('cancelled')
  })
})

test('the client 2.4 answers by itself what it is asked', async () => {
  const { client } = await connectAnswering(hub.url, [{ action: 'accept', content: { name: 'Lee' } }], OWNER)
  const result = await client.callTool({ name: 'short', arguments: {} })
  expect(result.content).toEqual([{ type: 'text', text: 'Hello, Lee, with the state of the agent' }])
})

describe('a call that nobody answers', () => {
  test('fails after an hour, and not before', async () => {
    const { taskId } = (await call('long', {}, { meta: TAKES_TASKS })).body.result ?? {}
    const callId = String(taskId)
    await until(async () => (await getCall(hub.url, callId, OWNER)).state === 'awaiting_input')
    const { link, config } = hub
    const queue = openAgentQueues(link)
    atEnd(() => queue.close())
    const sweepAt = (now: number) => {
      const clock = { ...systemClock, now: () => now }
      const log = createCallLog(link, createCallIndex(link, clock), clock)
      const broadcast = createCancelBroadcast(link)
      const claims = createClaims(link, clock)
      return sweepCall(callId, { config, clock, log, queue, claims, broadcast, isHubPresent: async () => true })
    }
    expect(await sweepAt(Date.now() + 3_500_000)).toMatchObject({ kind: 'look-again' })
    expect((await getCall(hub.url, callId, OWNER)).state).toBe('awaiting_input')
    expect(await sweepAt(Date.now() + 3_700_000)).toEqual({ kind: 'done' })
    const ended = await getCall(hub.url, callId, OWNER)
    expect([ended.state, ended.error?.data.title]).toEqual(['failed', 'DEADLINE_EXCEEDED'])
  })
})

describe('a tool that is for tasks', () => {
  const modern = (name: string, meta: JsonObject, more: JsonObject = {}) => call(name, more, { meta })

  test('is for clients that take tasks', async () => {
    const { status, body } = await modern('job', ELICITS)
    expect([status, body.error?.code]).toEqual([400, -32021])
    expect(body.error?.data).toHaveProperty('requiredCapabilities.extensions')
    const legacy = await askLegacy(hub.url, 'tools/call', { name: 'job', arguments: {} }, OWNER)
    expect([legacy.status, legacy.body.error?.code]).toEqual([200, -32601])
    expect((await modern('job', TAKES_TASKS)).body.result?.resultType).toBe('task')
    const { tools } = (await askLegacy(hub.url, 'tools/list', {}, OWNER)).body.result as { tools: JsonObject[] }
    expect(tools.find(({ name }) => name === 'job')).toMatchObject({ execution: { taskSupport: 'required' } })
  })

  test('asks before it becomes one where its agent asks first', async () => {
    const asked = (await modern('first', TAKES_TASKS)).body.result ?? {}
    expect(asked.resultType).toBe('input_required')
    const { requestState } = asked
    const made =
      (await modern('first', TAKES_TASKS, { requestState, inputResponses: { who: NAMED } })).body.result ?? {}
    expect([made.resultType, 'requestState' in made]).toEqual(['task', false])
    const state = async () => (await getCall(hub.url, String(made.taskId), OWNER)).state
    await until(async () => (await state()) === 'completed')
  })
})
