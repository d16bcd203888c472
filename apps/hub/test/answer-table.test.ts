import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { ask, firstItem, REVISION } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import { callTool, postText, request } from './hub-requests.js'
import { askLegacy, askModern, modernRequest, postMcpText } from './mcp/mcp-requests.js'
import { askRaw } from './raw-connection.js'
import { runHub } from './running-hub.js'
import { type Behaviour, type ScriptedAgent, sendFailure, sendResult, serveScript, toolOf } from './scripted-agent.js'

const strict = toolOf('strict', {
  inputSchema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
})

let agent: ScriptedAgent
let url: string

beforeAll(async () => {
  agent = await serveScript([strict])
  const service = await serveToolService([manifestTool('search')], (res, { body }) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
  )
  const hub = await runHub({
    agents: { Agent: { url: agent.url, mode: 'direct' } },
    publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } },
  })
  url = hub.url
})

afterAll(closeAll)

/** How one message is sent to each surface, as it is; `method` is what headers have to say of it. */
const SURFACES: Readonly<Record<string, (body: string, method: string) => Promise<Response>>> = {
  native: (body) => postText(url, body),
  legacy: (body) => postMcpText(url, body, { 'MCP-Protocol-Version': '2025-11-25' }),
  modern: (body, method) => postMcpText(url, body, modernRequest(method, {}).headers),
}

const ID = 'row-1'
type Told = readonly [code: number, status: number]
/** Condition, body, and what the native surface and both eras of MCP tell of it. */
type Row = readonly [condition: string, body: string, title: string, native: Told, legacy: Told, modern: Told]

const envelope = (more: JsonObject) => JSON.stringify({ id: ID, ...more })

describe('what is wrong with a message', () => {
  const rows: readonly Row[] = [
    ['bad JSON', '{', 'PARSE_ERROR', [-32700, 400], [-32700, 200], [-32700, 400]],
    ['bad UTF-16', '{"a":"\\ud83d', 'PARSE_ERROR', [-32700, 400], [-32700, 200], [-32700, 400]],
    [
      'a bad envelope',
      envelope({ jsonrpc: '1.0', method: 'tools/list' }),
      'INVALID_REQUEST',
      [-32600, 400],
      [-32600, 200],
      [-32600, 400],
    ],
    [
      'an id of null',
      JSON.stringify({ jsonrpc: '2.0', id: null, method: 'tools/list' }),
      'INVALID_REQUEST',
      [-32600, 400],
      [-32600, 200],
      [-32600, 400],
    ],
    [
      'params of text',
      envelope({ jsonrpc: '2.0', method: 'tools/list', params: 'x' }),
      'INVALID_REQUEST',
      [-32600, 400],
      [-32600, 200],
      [-32600, 400],
    ],
    [
      'params by position',
      envelope({ jsonrpc: '2.0', method: 'tools/list', params: [1] }),
      'INVALID_PARAMS',
      [-32602, 422],
      [-32602, 200],
      [-32602, 400],
    ],
  ]
  test.each(rows)('is told on each surface under its code and status: %s', async (_row, body, title, ...told) => {
    for (const [at, [name, send]] of Object.entries(SURFACES).entries()) {
      const response = await send(body, 'tools/list')
      const answer = (await response.json()) as JsonObject
      expect([name, response.status, (answer.error as JsonObject).code]).toEqual([name, told[at]?.[1], told[at]?.[0]])
      // An id that could not be read is null in JSON-RPC; MCP leaves it out.
      const id = body.includes(ID) ? { id: ID } : name === 'native' ? { id: null } : {}
      expect(answer).toEqual({ jsonrpc: '2.0', ...id, error: expectedError(title) })
    }
  })
})

describe('what a request asks for', () => {
  const failing =
    (title: string): Behaviour =>
    (res, { id }) =>
      sendFailure(res, id, { code: -32000, message: 'no', data: { title } })
  const city = { city: 'Seoul' }

  test.each<[string, string, string, JsonObject, Behaviour | undefined, string, Told, Told, Told]>([
    [
      'an unknown method',
      'no/such',
      '',
      {},
      undefined,
      'METHOD_NOT_FOUND',
      [-32601, 404],
      [-32601, 200],
      [-32601, 404],
    ],
    [
      'an unknown tool',
      'tools/call',
      'nothing',
      {},
      undefined,
      'METHOD_NOT_FOUND',
      [-32601, 404],
      [-32602, 200],
      [-32602, 200],
    ],
    [
      'arguments that break the schema',
      'tools/call',
      'strict',
      {},
      undefined,
      'INVALID_PARAMS',
      [-32602, 422],
      [-32602, 200],
      [-32602, 200],
    ],
    ...(
      [
        ['an exception of the agent', 'INTERNAL_ERROR', [-32603, 500], [-32603, 200], [-32603, 200]],
        ['an approval', 'HITL_APPROVAL_REQUIRED', [-32001, 403], [-32001, 200], [-31001, 200]],
        ['a token budget', 'TOKEN_BUDGET_EXCEEDED', [-32002, 429], [-32002, 200], [-31002, 200]],
        ['a compensation', 'COMPENSATING_TX_TRIGGERED', [-32003, 500], [-32003, 200], [-31003, 200]],
      ] as const
    ).map(
      ([row, title, native, legacy, modern]) =>
        [row, 'tools/call', 'strict', city, failing(title), title, native, legacy, modern] as [
          ...[string, string, string, JsonObject, Behaviour, string],
          ...[Told, Told, Told],
        ],
    ),
  ])(
    'is refused on each surface under its code and status, by one title: %s',
    async (_row, method, name, args, behaviour, title, ...told) => {
      if (behaviour !== undefined) agent.behave(behaviour)
      const params = name === '' ? {} : { name, arguments: args }
      const native = await postText(url, JSON.stringify(request(method, params, ID)))
      const legacy = await postMcpText(url, JSON.stringify(request(method, params, ID)), {
        'MCP-Protocol-Version': '2025-11-25',
      })
      const { frame, headers } = modernRequest(method, params, {}, ID)
      const modern = await postMcpText(url, JSON.stringify(frame), headers)
      for (const [at, response] of [native, legacy, modern].entries()) {
        const answer = (await response.json()) as JsonObject
        expect([response.status, (answer.error as JsonObject).code]).toEqual([told[at]?.[1], told[at]?.[0]])
        // `data.status` is that of the native surface everywhere.
        expect(answer).toEqual({ jsonrpc: '2.0', id: ID, error: expectedError(title, told[0][1]) })
      }
    },
  )

  test('is a result with isError on each surface where its tool ran and failed', async () => {
    agent.behave((res, { id }) => sendResult(res, id, { content: [{ type: 'text', text: 'no' }], isError: true }))
    const params = { name: 'strict', arguments: city }
    const answers = [
      await callTool(url, 'strict', city),
      await askLegacy(url, 'tools/call', params),
      await askModern(url, 'tools/call', params),
    ]
    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([200, undefined])
      expect(body.result).toMatchObject({ content: [{ type: 'text', text: 'no' }], isError: true })
    }
  })
})

describe('a foreign Host or Origin', () => {
  const port = () => new URL(url).port
  test.each([
    ['a foreign Host', () => ['Host: evil.test']],
    ['a foreign Origin', () => [`Host: localhost:${port()}`, 'Origin: http://evil.test']],
    ['the Origin of a file', () => [`Host: localhost:${port()}`, 'Origin: null']],
  ])('is refused on each surface of messages: %s', async (_what, headersOf) => {
    const { frame, headers: modern } = modernRequest('tools/list', {}, {}, ID)
    const legacy = request('tools/list', {}, ID)
    const sent = [
      ['/rpc', legacy, {}],
      ['/mcp', legacy, REVISION],
      ['/mcp', frame, modern],
      ['/hr', legacy, REVISION],
    ] as const
    for (const [path, message, around] of sent) {
      const body = JSON.stringify(message)
      const named = Object.entries(around).map(([name, value]) => `${name}: ${value}`)
      const form = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const answer = await askRaw(url, [`POST ${path} HTTP/1.1`, ...headersOf(), ...named, ...form], body)
      expect([path, answer.status]).toEqual([path, 403])
      const { id = null, error } = JSON.parse(answer.body) as JsonObject
      expect([id, error]).toEqual([null, expect.objectContaining(expectedError('FORBIDDEN', 403))])
    }
  })
})

// Those of both eras of MCP: mcp/tools.test.ts.
test.each([
  ['/rpc', 'strict', 'city'],
  ['/hr', 'search', 'query'],
])('100 callers of %s who all use the id 1 at the same time each get their own answer', async (path, name, member) => {
  agent.behave((res, { id, arguments: { city } }) => sendResult(res, id, { content: [{ type: 'text', text: city }] }))
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const params = { name, arguments: { [member]: `city-${at}` } }
      return ask(url + path, request('tools/call', params, 1))
    }),
  )
  expect(answers.map((answer) => [answer.body.id, firstItem(answer).text])).toEqual(
    answers.map((_, at) => [1, path === '/rpc' ? `city-${at}` : `{"query":"city-${at}"}`]),
  )
})

function expectedError(title: string, status: unknown = expect.any(Number)): JsonObject {
  return {
    code: expect.any(Number),
    message: expect.any(String),
    data: expect.objectContaining({
      type: expect.stringMatching(/^https:\/\/empasy\.io\/errors\//),
      title,
      status,
      detail: expect.any(String),
      instance: expect.any(String),
    }),
  }
}
