import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { getCall, getJson } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { type McpStream, modernRequest, openSession, postMcp, postMcpText, streamMcp } from './mcp-requests.js'

const long = steeredTool('long')
const short = steeredTool('short')
let hub: RunningHub
let otherUrl: string

beforeAll(async () => {
  const agent = await serveTools([long.tool, short.tool])
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    limits: { maxWaitMs: 1000, defaultWaitMs: 500 },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

const legacyCall = (name: string, meta: JsonObject = {}, id: unknown = 1): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: meta },
})
const LEGACY = { 'MCP-Protocol-Version': '2025-11-25' }
const modernCall = (name: string, meta: JsonObject = {}) => modernRequest('tools/call', { name, arguments: {} }, meta)

const openModern = (name: string, meta: JsonObject): Promise<McpStream> => {
  const { frame, headers } = modernCall(name, meta)
  return streamMcp(hub.url, frame, headers)
}

describe('progress', () => {
  test.each([0, '', 'mine'])('comes before the answer, under the token of the caller: %j', async (progressToken) => {
    const opening = openModern('short', { progressToken, traceId: `trace-of-${JSON.stringify(progressToken).length}` })
    const run = await short.nextRun()
    for (const progress of [0, 50, 100]) run.ctx.progress({ progress: progress, total: 100, message: `at ${progress}` })
    const stream = await opening
    run.complete()
    await stream.over
    const progress = stream.messages.slice(0, -1).map(({ method, params }) => [method, params])
    expect(progress).toEqual(
      [0, 50, 100].map((at) => [
        'notifications/progress',
        { progressToken, progress: at, total: 100, message: `at ${at}` },
      ]),
    )
    expect(stream.messages.at(-1)).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ text: 'done' }] },
    })
  })

  test('of a long tool comes in the legacy era too, and the answer in its form', async () => {
    const stream = await streamMcp(hub.url, legacyCall('long', { progressToken: 'p' }), LEGACY)
    const run = await long.nextRun()
    run.ctx.progress({ progress: 10, total: 100, message: 'a tenth' })
    await until(() => stream.messages.length === 1)
    run.complete()
    await stream.over
    expect(stream.messages.map(({ method, id }) => method ?? id)).toEqual(['notifications/progress', 1])
    expect(stream.messages[1]?.result).not.toHaveProperty('resultType')
  })

  test.each(['long', 'short'])('is not sent to who does not ask for it, or reads no streams: %s', async (name) => {
    const tool = name === 'long' ? long : short
    const asks: [JsonObject, Record<string, string>][] = [
      [legacyCall(name), LEGACY],
      [legacyCall(name, { progressToken: 1 }), { ...LEGACY, Accept: 'application/json' }],
    ]
    for (const [frame, headers] of asks) {
      const asked = postMcp(hub.url, frame, headers)
      const run = await tool.nextRun()
      run.ctx.progress({ progress: 10, total: 100, message: 'a tenth' })
      run.complete()
      const answer = await asked
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(answer.body.result?.isError).toBe(false)
    }
  })

  test('is followed by the error of a tool that failed', async () => {
    const stream = await openModern('long', { progressToken: 'p' })
    const run = await long.nextRun()
    run.fail(new Error('broken'))
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, error: { code: -32603, data: { title: 'INTERNAL_ERROR' } } })
  })

  test('outlasts the wait of those who see nothing', async () => {
    const stream = await openModern('long', { progressToken: 'p' })
    const run = await long.nextRun()
    const silent = postMcp(hub.url, legacyCall('long'), LEGACY)
    const other = await long.nextRun()
    expect((await silent).body.error?.data?.title).toBe('DEADLINE_EXCEEDED')
    other.complete()
    run.complete()
    await stream.over
    expect(stream.messages.at(-1)).toHaveProperty('result')
  })
})

describe('a client that goes away', () => {
  test.each(['short', 'long'])('cancels its call in the modern era: %s', async (name) => {
    const traceId = `left-${name}`
    const controller = new AbortController()
    const { frame, headers } = modernCall(name, { traceId })
    const asked = postMcpText(hub.url, JSON.stringify(frame), headers, controller.signal).catch(() => undefined)
    const run = await (name === 'long' ? long : short).nextRun()
    controller.abort()
    await asked
    await until(() => run.ctx.signal.aborted)
    expect((await callOf(traceId)).state).toBe('cancelled')
  })

  test('does not cancel its call in the legacy era', async () => {
    const controller = new AbortController()
    const frame = JSON.stringify(legacyCall('long', { traceId: 'stays', progressToken: 1 }))
    const response = await postMcpText(hub.url, frame, LEGACY, controller.signal)
    const run = await long.nextRun()
    controller.abort()
    await response.text().catch(() => undefined)
    run.complete()
    await until(async () => (await callOf('stays')).state !== 'running')
    expect((await callOf('stays')).state).toBe('completed')
  })

  test('does not cancel what an earlier request with its key began', async () => {
    const meta = { idempotencyKey: 'shared', traceId: 'shared' }
    const first = postMcp(hub.url, legacyCall('long', meta), LEGACY)
    const run = await long.nextRun()
    const { leave, over } = await openModern('long', { ...meta, progressToken: 1 })
    leave()
    await over
    await first
    expect((await callOf('shared')).state).toBe('running')
    run.complete()
    await until(async () => (await callOf('shared')).state === 'completed')
  })
})

describe('notifications/cancelled', () => {
  const sessions: [string, string, string] = ['', '', '']
  beforeAll(async () => {
    for (const at of [0, 1, 2]) sessions[at] = await openSession(hub.url)
  })

  const cancel = (url: string, session: string | undefined, requestId: unknown) =>
    postMcp(
      url,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'changed my mind' } },
      { ...LEGACY, 'Mcp-Session-Id': session },
    )

  test.each([
    ['the hub that works on it', () => hub.url],
    ['another hub', () => otherUrl],
  ])('at %s cancels the request of its session, and nothing answers it', async (_case, urlOf) => {
    const asked = postMcpText(hub.url, JSON.stringify(legacyCall('long', { traceId: 'cancelled' }, 0)), {
      ...LEGACY,
      'Mcp-Session-Id': sessions[0],
    })
    const run = await long.nextRun()
    for (const [session, id] of [
      [sessions[1], 0],
      [undefined, 0],
      [sessions[0], 1],
      [sessions[0], '0'],
    ] as const) {
      expect((await cancel(urlOf(), session, id)).status).toBe(202)
    }
    expect(run.ctx.signal.aborted).toBe(false)
    expect((await cancel(urlOf(), sessions[0], 0)).status).toBe(202)
    await until(() => run.ctx.signal.aborted)
    expect(await (await asked).text()).not.toContain('data:')
  })

  test('of a client whose connection broke still cancels', async () => {
    const controller = new AbortController()
    const headers = { ...LEGACY, 'Mcp-Session-Id': sessions[2] }
    const frame = JSON.stringify(legacyCall('long', { traceId: 'broken' }, 'r1'))
    const asked = postMcpText(hub.url, frame, headers, controller.signal).catch(() => undefined)
    const run = await long.nextRun()
    controller.abort()
    await asked
    expect((await cancel(hub.url, sessions[2], 'r1')).status).toBe(202)
    await until(() => run.ctx.signal.aborted)
  })

  test('of nothing is ignored', async () => {
    for (const id of [99, {}, null]) expect((await cancel(hub.url, sessions[0], id)).status).toBe(202)
  })
})

test('a stopping hub tells those who wait that their call goes on', async () => {
  const second = await hub.startHub()
  const { frame, headers } = modernRequest('tools/call', { name: 'long', arguments: {} }, { progressToken: 1 })
  const stream = await streamMcp(second.url, frame, headers)
  const run = await long.nextRun()
  await second.stop()
  await stream.over
  expect(stream.messages.at(-1)).toMatchObject({ error: { data: { title: 'DEADLINE_EXCEEDED' } } })
  const { callId } = (stream.messages.at(-1) as { error: { data: { callId: string } } }).error.data
  run.complete()
  await until(async () => (await getCall(hub.url, callId)).state === 'completed')
})

async function callOf(traceId: string): Promise<{ readonly state: string }> {
  const { body } = await getJson<{ calls: { state: string }[] }>(hub.url, `/traces/${traceId}`)
  const [call] = body.calls ?? []
  if (call === undefined) throw new Error(`no call in the trace ${traceId}`)
  return call
}
