import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineTool } from '@synchub/agent-sdk'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { getCall } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { answerText, type ScriptedAgent, sendFailure, serveScript, toolOf } from '../scripted-agent.js'
import { echoTool, serveTools, steeredTool } from '../served-agent.js'
import { askLegacy, askModern, modernRequest, postMcp } from './mcp-requests.js'

const W3C = '4bf92f3577b34da6a3ce929d0e0e4736'
const work = steeredTool('work')
const failing = defineTool({
  name: 'failing',
  description: 'Fails as tools do',
  inputSchema: { type: 'object' },
  handler: () => ({ content: [{ type: 'text', text: 'no such order' }], isError: true }),
})
const strict = toolOf('strict', {
  inputSchema: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string', 'x-mcp-header': 'City' } },
  },
})

let hub: RunningHub
let odd: ScriptedAgent

beforeAll(async () => {
  const [agent, other, scripted] = await Promise.all([
    serveTools([work.tool, echoTool, failing]),
    serveTools([echoTool]),
    serveScript([strict, toolOf('odd', { outputSchema: { type: 'array' } })]),
  ])
  odd = scripted
  const mode = 'direct'
  hub = await runHub({
    agents: {
      Agent: { url: agent.url, mode, tools: { work: { mode: 'queued' } } },
      Other: { url: other.url, mode },
      Odd: { url: scripted.url, mode },
    },
    limits: { maxWaitMs: 10_000, defaultWaitMs: 10_000 },
    access: {
      mode: 'keys',
      keys: [
        { name: 'all', sha256: hashApiKey('all'), tenant: 't', agent: 'Caller', scopes: ['tools:call'] },
        { name: 'one', sha256: hashApiKey('one'), tenant: 't', agent: 'Small', scopes: ['tools:call:strict'] },
      ],
    },
  })
})

afterAll(closeAll)

const ALL = { Authorization: 'Bearer all' }
const ONE = { Authorization: 'Bearer one' }
const namesIn = (result: JsonObject = {}) => (result.tools as readonly JsonObject[]).map(({ name }) => name)
const callLegacy = (name: string, args: JsonObject = {}, meta: JsonObject = {}, headers = ALL) =>
  askLegacy(hub.url, 'tools/call', { name, arguments: args, _meta: meta }, headers)
const callModern = (name: string, args: JsonObject = {}, meta: JsonObject = {}, headers: JsonObject = ALL) =>
  askModern(hub.url, 'tools/call', { name, arguments: args }, meta, headers as Record<string, string>)

describe('tools/list', () => {
  test('lists all tools in order, colliding names with their agent, and says how long it holds', async () => {
    const { body } = await askModern(hub.url, 'tools/list', {}, {}, ALL)
    expect(namesIn(body.result)).toEqual(['Agent.echo', 'Other.echo', 'failing', 'odd', 'strict', 'work'])
    expect(body.result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) })
    expect((await askModern(hub.url, 'tools/list', {}, {}, ALL)).body.result?.tools).toEqual(body.result?.tools)
  })

  test('lists only what the caller may use', async () => {
    expect(namesIn((await askLegacy(hub.url, 'tools/list', {}, ONE)).body.result)).toEqual(['strict'])
  })

  test('shows an output schema that is no object in the modern era only', async () => {
    const oddIn = (result: JsonObject = {}) =>
      (result.tools as readonly JsonObject[]).find(({ name }) => name === 'odd')
    expect(oddIn((await askModern(hub.url, 'tools/list', {}, {}, ALL)).body.result)).toHaveProperty('outputSchema')
    expect(oddIn((await askLegacy(hub.url, 'tools/list', {}, ALL)).body.result)).not.toHaveProperty('outputSchema')
  })

  test.each(['', 'nonsense', '../../etc/passwd'])('refuses the cursor %j', async (cursor) => {
    const { status, body } = await askModern(hub.url, 'tools/list', { cursor }, {}, ALL)
    expect([status, body.error?.code, body.error?.data?.path]).toEqual([200, -32602, 'cursor'])
  })
})

describe('tools/call', () => {
  test('answers the result in the form of each era, with its call, trace and time', async () => {
    const legacy = await callLegacy('Agent.echo', { city: '서울' })
    expect(legacy.body.result).toEqual({
      content: [{ type: 'text', text: '{"city":"서울"}' }],
      structuredContent: { city: '서울' },
      isError: false,
      _meta: expect.objectContaining({ callId: expect.any(String), traceId: expect.stringMatching(/^trace-/) }),
    })
    const modern = await callModern('Agent.echo', { city: '서울' })
    expect(modern.body.result).toMatchObject({ resultType: 'complete', structuredContent: { city: '서울' } })
    expect(modern.body.result?._meta).toMatchObject({ executionTimeMs: expect.any(Number) })
  })

  test('answers a tool that ran and failed with isError', async () => {
    for (const answer of [await callLegacy('failing'), await callModern('failing')]) {
      expect([answer.status, answer.body.result?.isError]).toEqual([200, true])
      expect(answer.body.result?.content?.[0]?.text).toBe('no such order')
    }
  })

  test.each([
    ['an unknown tool', 'nothing', {}, 200, -32602, 'METHOD_NOT_FOUND'],
    ['a tool without its agent', 'echo', {}, 200, -32602, 'INVALID_PARAMS'],
    ['wrong arguments', 'strict', {}, 200, -32602, 'INVALID_PARAMS'],
  ])('refuses %s in both eras', async (_case, name, args, status, code, title) => {
    for (const answer of [await callLegacy(name, args), await callModern(name, args)]) {
      expect([answer.status, answer.body.id, answer.body.error?.code]).toEqual([status, 1, code])
      expect(answer.body.error?.data).toMatchObject({ title, instance: `/tools/call/${name}` })
    }
  })

  test.each([
    ['HITL_APPROVAL_REQUIRED', -32001, -31001],
    ['TOKEN_BUDGET_EXCEEDED', -32002, -31002],
    ['COMPENSATING_TX_TRIGGERED', -32003, -31003],
    ['INTERNAL_ERROR', -32603, -32603],
    ['FORBIDDEN', -31006, -31006],
  ] as const)(
    'tells %s of an agent under the code of each era, and never as a matter of HTTP',
    async (title, ...codes) => {
      odd.behave((res, { id }) => sendFailure(res, id, { code: -32000, message: 'no', data: { title, scope: 'x' } }))
      const answers = [await callLegacy('odd'), await callModern('odd')]
      odd.behave(answerText)
      expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(codes.map((code) => [200, code]))
      for (const { body } of answers) {
        expect(body.error?.data).toMatchObject({ title, callId: expect.any(String) })
        expect(body.error?.data).not.toHaveProperty('uri')
      }
      const ticket = answers.map(({ body }) => body.error?.data?.approvalTicketId)
      expect(ticket.every((id) => (title === 'HITL_APPROVAL_REQUIRED') === (typeof id === 'string'))).toBe(true)
    },
  )

  test.each([-32042, -32050, -32020, -32000])(
    'never passes on %i, which an agent sends and the revision keeps for itself',
    async (code) => {
      odd.behave((res, { id }) => sendFailure(res, id, { code, message: 'no' }))
      const answers = [await callLegacy('odd'), await callModern('odd')]
      odd.behave(answerText)
      for (const { status, body } of answers) {
        expect([status, body.error?.code, body.error?.data?.title]).toEqual([200, -32603, 'INTERNAL_ERROR'])
      }
    },
  )

  test('names an unknown tool', async () => {
    expect((await callModern('nothing')).body.error?.message).toBe('Unknown tool: nothing')
  })

  test('tells which scope is missing, as HTTP does', async () => {
    for (const answer of [await callLegacy('failing', {}, {}, ONE), await callModern('failing', {}, {}, ONE)]) {
      expect([answer.status, answer.body.error?.data?.title]).toEqual([403, 'FORBIDDEN'])
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="tools:call:failing"')
    }
    const nobody = await callModern('failing', {}, {}, {})
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="synchub"'])
  })

  test.each([
    ['the same', '=?base64?7ISc7Jq4?=', 200, undefined],
    ['nothing', undefined, 400, -32020],
    ['something else', 'Busan', 400, -32020],
  ])('is refused where the header of a parameter says not what it should: %s', async (_case, value, status, code) => {
    const { frame, headers } = modernRequest('tools/call', { name: 'strict', arguments: { city: '서울' } })
    const answer = await postMcp(hub.url, frame, { ...headers, ...ALL, 'Mcp-Param-City': value })
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  })

  test('of a long tool is waited for, and its error says where to find it', async () => {
    const [{ body }, run] = await Promise.all([callLegacy('work', {}, { timeoutMs: 300 }), work.nextRun()])
    expect(body.error).toMatchObject({ code: -31004, data: { title: 'DEADLINE_EXCEEDED', callId: expect.any(String) } })
    // Each client is told of what there is for it: tasks where it knows them, else the trace as a resource.
    const { callId } = body.error?.data ?? {}
    expect(body.error?.data?.nextStep).toBe(
      `The call goes on: ask tasks/get with the taskId ${String(callId)} and do not send it again.`,
    )
    expect((await askLegacy(hub.url, 'tasks/get', { taskId: callId }, ALL)).body.result).toMatchObject({
      status: 'working',
    })
    run.complete('late')
    const again = await callModern('work', {}, { idempotencyKey: 'k1', traceId: 'a:b', timeoutMs: 300 })
    expect(again.body.error?.data).toMatchObject({
      title: 'DEADLINE_EXCEEDED',
      nextStep: expect.stringMatching(
        /^The call goes on: read the resource trace:\/\/a%3Ab for how it stands, or GET \/calls\/[0-9a-f-]{36} of this hub for what came of it, or send it again with the same key: it is not done twice\.$/,
      ),
    })
    const second = await work.nextRun()
    second.complete('done')
    const repeat = await callModern('work', {}, { idempotencyKey: 'k1' })
    expect(repeat.body.result).toMatchObject({ content: [{ text: 'done' }], _meta: { replayed: true } })
  })
})

describe('a trace', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['traceId', { traceId: 'mine' }, {}, 'mine'],
    ['traceparent', { traceparent: `00-${W3C}-00f067aa0ba902b7-01` }, {}, W3C],
    ['the header traceparent', {}, { traceparent: `00-${W3C}-00f067aa0ba902b7-01` }, W3C],
    [
      'traceId rather than traceparent',
      { traceId: 'my-own', traceparent: `00-${W3C}-00f067aa0ba902b7-01` },
      {},
      'my-own',
    ],
  ])('is named by %s', async (_case, meta, headers, traceId) => {
    const { body } = await callModern('Agent.echo', {}, meta, { ...ALL, ...headers })
    const told = body.result?._meta ?? {}
    expect(told.traceId).toBe(traceId)
    expect((await getCall(hub.url, String(told.callId), ALL)).traceId).toBe(traceId)
    const hasW3cName = JSON.stringify([meta, headers]).includes(W3C)
    expect(/^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(String(told.traceparent))?.[1]).toBe(hasW3cName ? W3C : undefined)
  })

  test('that the hub names has a traceparent too', async () => {
    const { body } = await callLegacy('Agent.echo')
    const { traceId, traceparent } = body.result?._meta ?? {}
    expect(String(traceparent).split('-')[1]).toBe(String(traceId).replace('trace-', '').replaceAll('-', ''))
  })
})

describe('100 callers who all use the id 1', () => {
  test.each(['legacy', 'modern'])('each get their own answer: %s', async (era) => {
    const ask = era === 'legacy' ? callLegacy : callModern
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => ask('Agent.echo', { city: `city-${index}` })),
    )
    expect(answers.map(({ body }) => [body.id, body.result?.structuredContent])).toEqual(
      answers.map((_, index) => [1, { city: `city-${index}` }]),
    )
  })
})
