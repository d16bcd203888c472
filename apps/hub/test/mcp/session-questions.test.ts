import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { atEnd, closeAll } from '../cleanup.js'
import { getJson } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { until } from '../until.js'
import { type AskingAgent, asking, saying, serveAsking } from './asking-agent.js'
import { type McpStream, openSession, postMcp, streamMcp } from './mcp-requests.js'

const OWNER = { Authorization: 'Bearer owner' }
const OTHER = { Authorization: 'Bearer other' }
const LEGACY = { 'MCP-Protocol-Version': '2025-11-25' }
let hub: RunningHub
let otherUrl: string
let agent: AskingAgent

beforeAll(async () => {
  agent = await serveAsking(['short', 'long'])
  const key = (name: string) => ({ name, sha256: hashApiKey(name), tenant: 't', agent: name, scopes: ['tools:call'] })
  hub = await runHub({
    agents: { Agent: { connector: 'mcp-http', url: agent.url, tools: { short: { mode: 'direct' } } } },
    limits: { maxWaitMs: 20_000, defaultWaitMs: 20_000 },
    access: { mode: 'keys', keys: [key('owner'), key('other')] },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

beforeEach(() => {
  agent.behave(({ inputResponses }) => {
    if (inputResponses?.who === undefined) return asking(['who'])
    return saying(`Hello, ${JSON.stringify(inputResponses.who)}`)
  })
})

const inSession = (id: string, more: Record<string, string> = OWNER) => ({ ...LEGACY, 'Mcp-Session-Id': id, ...more })

describe.each(['short', 'long'])('a question of the agent of a %s tool', (name) => {
  const frame = (traceId: string): JsonObject => ({
    jsonrpc: '2.0',
    id: 'call',
    method: 'tools/call',
    params: { name, arguments: {}, _meta: { traceId } },
  })
  const post = (id: string, answer: JsonObject, headers: Record<string, string> = OWNER) =>
    postMcp(otherUrl, { jsonrpc: '2.0', ...answer }, inSession(id, headers))

  async function begin(
    traceId: string,
  ): Promise<{ readonly id: string; readonly stream: McpStream; readonly asked: JsonObject }> {
    const id = await openSession(hub.url, { elicitation: {} }, OWNER)
    const stream = await streamMcp(hub.url, frame(traceId), inSession(id))
    await until(() => stream.messages.length === 1)
    const [asked = {}] = stream.messages
    expect(asked).toMatchObject({
      id: expect.any(String),
      method: 'elicitation/create',
      params: { message: expect.any(String) },
    })
    return { id, stream, asked }
  }

  test('comes on the stream of the request, and is answered at any hub', async () => {
    const { id, stream, asked } = await begin(`asked-${name}`)
    const result = { action: 'accept', content: { name: 'Kim' } }
    expect((await post(id, { id: asked.id, result }, OTHER)).status).not.toBe(202)
    expect((await post(id, { id: 'nonsense', result })).status).toBe(400)
    expect((await post(id, { id: asked.id, result })).status).toBe(202)
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({
      id: 'call',
      result: { content: [{ text: `Hello, ${JSON.stringify(result)}` }] },
    })
    expect((await post(id, { id: asked.id, result })).status).toBe(400)
  })

  test('is not asked of a client that only repeats the request, and cannot be asked', async () => {
    const keyed = {
      ...frame(`repeated-${name}`),
      params: { name, arguments: {}, _meta: { idempotencyKey: `k-${name}` } },
    }
    const id = await openSession(hub.url, { elicitation: {} }, OWNER)
    const stream = await streamMcp(hub.url, keyed, inSession(id))
    await until(() => stream.messages.length === 1)
    const deaf = { ...inSession(id), Accept: 'application/json' }
    for (const headers of [deaf, { ...LEGACY, ...OWNER }]) {
      const { body } = await postMcp(hub.url, keyed, headers)
      expect(body.error?.data).toMatchObject({ title: 'CAPABILITY_MISSING', requiredCapabilities: { elicitation: {} } })
    }
    await post(id, { id: stream.messages[0]?.id, result: { action: 'decline' } })
    await stream.over
    expect(stream.messages.at(-1)).toHaveProperty('result')
  })

  test('that is answered with an error ends the call', async () => {
    const { id, stream, asked } = await begin(`refused-${name}`)
    expect((await post(id, { id: asked.id, error: { code: -1, message: 'no' } })).status).toBe(202)
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({ id: 'call', error: { data: { title: 'CANCELLED' } } })
  })

  test.each([
    ['an action that there is none of', { action: 'explode' }, 'result.action', 'one of accept, decline, cancel'],
    ['no object', 'yes', 'result', 'an object'],
  ])('that is answered with %s does not leave its call waiting', async (_what, result, path, expected) => {
    const { id, stream, asked } = await begin(`unusable-${name}`)
    const { status, body } = await post(id, { id: asked.id, result })
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: -32602, data: expect.objectContaining({ path, expected }) }),
    ])
    expect(body.error?.message).toContain(`${path} must be ${expected}, so the call that asked was cancelled`)
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({
      id: 'call',
      error: { message: expect.stringContaining(path), data: { title: 'CANCELLED' } },
    })
  })

  test('is answered once: what comes after its answer changes nothing', async () => {
    agent.behave(({ inputResponses }) => (inputResponses === undefined ? asking(['who', 'else']) : saying('both')))
    const id = await openSession(hub.url, { elicitation: {} }, OWNER)
    const stream = await streamMcp(hub.url, frame(`once-${name}`), inSession(id))
    await until(() => stream.messages.length === 2)
    const [first, second] = stream.messages
    expect((await post(id, { id: first?.id, result: { action: 'decline' } })).status).toBe(202)
    for (const late of [
      { result: { action: 'decline' } },
      { result: { action: 'explode' } },
      { error: { code: -1, message: 'no' } },
    ]) {
      expect((await post(id, { id: first?.id, ...late })).status).toBe(400)
    }
    expect((await post(id, { id: second?.id, result: { action: 'decline' } })).status).toBe(202)
    await stream.over
    expect(stream.messages.at(-1)).toMatchObject({ id: 'call', result: { content: [{ text: 'both' }] } })
  })

  test('is not asked of a client that has not declared it, or reads no streams', async () => {
    const silent = await openSession(hub.url, {}, OWNER)
    const deaf = await openSession(hub.url, { elicitation: {} }, OWNER)
    for (const headers of [inSession(silent), { ...inSession(deaf), Accept: 'application/json' }]) {
      const { body } = await postMcp(hub.url, frame(`unasked-${name}`), headers)
      expect(body.error?.data?.title).toBe('CAPABILITY_MISSING')
    }
  })
})

test('the SDK 1.32 answers by itself what it is asked', async () => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept' as const, content: { name: 'Lee' } }))
  const transport = new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers: OWNER } })
  await client.connect(transport)
  atEnd(() => client.close())
  const result = await client.callTool({ name: 'long', arguments: {} })
  expect(JSON.stringify(result.content)).toContain('Lee')
  const { body } = await getJson<{ items: unknown[] }>(hub.url, '/traces', OWNER)
  expect(body.items.length).toBeGreaterThan(0)
})
