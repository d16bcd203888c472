import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import { digestIdempotency } from '@synchub/core'
import { type HubError, type JsonObject, META_KEYS, TASKS_EXTENSION } from '@synchub/protocol'
import { createClaims } from '@synchub/redis'
import { systemClock } from '@synchub/telemetry'
import { callOnPath, firstItem } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService, type ToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import { callTool, metaOf, postRpc, request, type SentHeaders } from './hub-requests.js'
import { askLegacy, askModern } from './mcp/mcp-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { type ScriptedAgent, sendFailure, sendResult, serveScript, toolOf } from './scripted-agent.js'

let agent: ScriptedAgent
let service: ToolService
let hub: RunningHub

beforeAll(async () => {
  agent = await serveScript([toolOf('short'), toolOf('long')])
  service = await serveToolService([manifestTool('whoami')], (res, { headers }) => {
    res
      .writeHead(200, { 'Content-Type': 'text/plain' })
      .end(`no ${service.calls.length} for ${String(headers['employee-no'])}`)
  })
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    publicPaths: {
      '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' },
      '/it': { name: 'it', url: service.url, manifest: 'manifest.json' },
    },
  })
})

afterAll(closeAll)

/** Answers the number of the run. */
function count() {
  let runs = 0
  agent.behave((res, { id }) => {
    sendResult(res, id, { content: [{ type: 'text', text: 'run' }], structuredContent: { run: ++runs } })
  })
}

function fail() {
  agent.behave((res, { id }) => sendFailure(res, id, { code: -32603, message: 'Internal Error: boom' }))
}

const TAKES_TASKS = { [META_KEYS.clientCapabilities]: { extensions: { [TASKS_EXTENSION]: {} } } }

describe('a repeat over MCP', () => {
  const eras = {
    modern: (name: string, idempotencyKey: string, meta: JsonObject = {}) =>
      askModern(hub.url, 'tools/call', { name, arguments: {} }, { idempotencyKey, ...meta }),
    legacy: (name: string, idempotencyKey: string, _meta: JsonObject = {}, more: JsonObject = {}) =>
      askLegacy(hub.url, 'tools/call', { name, arguments: {}, ...more, _meta: { idempotencyKey } }),
  }

  test.each(Object.entries(eras))('is marked as replayed, with a result and with a failure: %s', async (era, ask) => {
    count()
    const results = [await ask('short', `${era}-ok`), await ask('short', `${era}-ok`)].map(({ body }) => body.result)
    expect(results.map((result) => result?.structuredContent)).toEqual([{ run: 1 }, { run: 1 }])
    expect(results.map((result) => result?._meta?.replayed)).toEqual([undefined, true])
    fail()
    const failures = [await ask('long', `${era}-boom`), await ask('long', `${era}-boom`)].map(({ body }) => body.error)
    expect(failures.map((error) => error?.message)).toEqual(['Internal Error: boom', 'Internal Error: boom'])
    expect(failures.map((error) => error?.data?.replayed)).toEqual([undefined, true])
  })

  test('is marked as replayed where it is answered by the task that the first one made', async () => {
    agent.behave(() => undefined)
    const modern = [await eras.modern('long', 'task', TAKES_TASKS), await eras.modern('long', 'task', TAKES_TASKS)]
    const tasks = modern.map(({ body }) => body.result)
    expect(tasks.map((task) => task?.taskId)).toEqual([tasks[0]?.taskId, tasks[0]?.taskId])
    expect(tasks.map((task) => task?._meta?.replayed)).toEqual([undefined, true])
    const legacy = await eras.legacy('long', 'task', {}, { task: {} })
    expect(legacy.body.result).toMatchObject({ task: { taskId: tasks[0]?.taskId }, _meta: { replayed: true } })
  })
})

describe('the client', () => {
  test.each(['short', 'long'])('says of a call whether its own key had begun it before: %s', async (tool) => {
    count()
    const client = createClient({ baseUrl: hub.url })
    const idempotencyKey = `client-${tool}`
    const first = await client.call(tool, {}, { idempotencyKey })
    const again = await client.call(tool, {}, { idempotencyKey })
    expect(first._meta).not.toHaveProperty('replayed')
    expect(again).toEqual({ ...first, _meta: { ...first._meta, replayed: true } })
    expect(await client.findCall({ idempotencyKey })).toMatchObject({ state: 'completed', result: { run: 1 } })
  })

  test('says it of a failure, of a call that it starts, and of a rerun', async () => {
    fail()
    const client = createClient({ baseUrl: hub.url })
    const idempotencyKey = 'client-boom'
    const failures = [1, 2].map(() => client.call('long', {}, { idempotencyKey }).catch((thrown: HubError) => thrown))
    const [first, second] = (await Promise.all(failures)) as HubError[]
    expect([first, second].filter((failure) => failure?.details.replayed === true)).toHaveLength(1)
    count()
    const started = await client.start('long', {}, { idempotencyKey: 'client-start' })
    expect(started).not.toHaveProperty('replayed')
    expect(await client.start('long', {}, { idempotencyKey: 'client-start' })).toEqual({ ...started, replayed: true })
    const rerun = await client.rerun(started.callId, { idempotencyKey: 'client-rerun' })
    expect(rerun).not.toHaveProperty('replayed')
    expect(await client.rerun(started.callId, { idempotencyKey: 'client-rerun' })).toEqual({ ...rerun, replayed: true })
  })
})

describe('on a public path', () => {
  const call = (path: string, headers: SentHeaders) =>
    callOnPath(`${hub.url}${path}`, 'whoami', { query: 'x' }, { 'Idempotency-Key': 'same', ...headers })

  test('a key belongs to its path and to the employee: nobody gets what was answered to another', async () => {
    const kim = { 'employee-no': 'kim' }
    const first = await call('/hr', kim)
    const again = await call('/hr', kim)
    expect(metaOf(first)).not.toHaveProperty('replayed')
    expect(metaOf(again)).toEqual({ ...metaOf(first), replayed: true })
    expect([first, again].map(({ headers }) => headers.get('SyncHub-Replayed'))).toEqual([null, 'true'])
    const others = [
      await call('/hr', { 'employee-no': 'lee' }),
      await call('/hr', { 'virtual-employee-no': 'kim' }),
      await call('/hr', { ...kim, 'virtual-employee-no': 'v1' }),
      await call('/hr', {}),
      await call('/it', kim),
    ]
    for (const other of others) expect(metaOf(other)).not.toHaveProperty('replayed')
    expect(new Set([first, ...others].map(metaOf).map(({ callId }) => callId)).size).toBe(6)
    expect(firstItem(others[0] ?? first).text).toContain('for lee')
  })

  test('a failed tool is marked as replayed too', async () => {
    const answer = service.calls.length
    service.behave((res) => res.destroy())
    const key = { 'Idempotency-Key': 'lost' }
    const [first, again] = [await call('/hr', key), await call('/hr', key)]
    expect(first.body.result).toMatchObject({ isError: true, _meta: { title: 'OUTCOME_UNKNOWN' } })
    expect(again.body.result).toMatchObject({ isError: true, _meta: { ...metaOf(first), replayed: true } })
    expect(service.calls).toHaveLength(answer + 1)
  })

  test('tells the state of its call by calls/get, to the employee alone', async () => {
    const find = (headers: SentHeaders, deployment = 'hr') =>
      postRpc(hub.url, request('calls/get', { idempotencyKey: 'same', deployment }), headers)
    const found = await find({ 'employee-no': 'kim' })
    expect(found.body.result).toMatchObject({ agent: 'hr', tool: 'whoami', state: 'completed' })
    for (const asked of [find({ 'employee-no': 'park' }), find({ 'employee-no': 'lee' }, 'it')]) {
      expectProblem(await asked, 'NOT_FOUND', 'request-1')
    }
    expectProblem(await find({ 'employee-no': 'k m' }), 'INVALID_REQUEST', 'request-1')
  })
})

describe('a key that another request holds without having recorded its call', () => {
  /** Claims a key as a hub does that is paused right after it. */
  const claim = async (key: string) => {
    const scope = { tenant: 'local', owner: 'local' }
    const callId = '01939e00-0000-7000-8000-000000000001'
    const claims = createClaims(hub.link, systemClock)
    const digests = digestIdempotency(key, 'Agent', 'short', {})
    await claims.claim(scope, digests, { callId, trace: { ...scope, traceId: 't' } })
    return { free: () => claims.release(scope, digests.keyDigest, callId) }
  }

  test('is waited for no longer than the caller waits, and the same request runs later', async () => {
    count()
    const held = await claim('held')
    const call = (timeoutMs: number) => callTool(hub.url, 'short', {}, { idempotencyKey: 'held', timeoutMs })
    const begunAtMs = performance.now()
    const answer = await call(300)
    expectProblem(answer, 'DEADLINE_EXCEEDED', 'request-1')
    expect(answer.body.error?.data.nextStep).toBe('Send it again with the same key: it joins that call.')
    expect(performance.now() - begunAtMs).toBeLessThan(1500)
    // Claimed is not recorded: there is nothing to tell of yet.
    const found = await postRpc(hub.url, request('calls/get', { idempotencyKey: 'held' }))
    expect(found.body.error?.data.detail).toBe('no call was made with this idempotency key')
    const waiting = call(10_000)
    await held.free()
    expect((await waiting).body.result?.structuredContent).toEqual({ run: 1 })
  })

  test('takes its time out of that of the answer: a caller waits once, not twice', async () => {
    agent.behave(() => undefined)
    const held = await claim('slow')
    const begunAtMs = performance.now()
    const answer = callTool(hub.url, 'short', {}, { idempotencyKey: 'slow', timeoutMs: 700 })
    // A caller that waits twice is answered 700 ms after this, which is 1100 ms after it began.
    setTimeout(() => void held.free(), 400)
    expectProblem(await answer, 'DEADLINE_EXCEEDED', 'request-1')
    expect(performance.now() - begunAtMs).toBeLessThan(1050)
  })
})
