import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { callOnPath, REVISION } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService, type ToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import { callTool, metaOf } from './hub-requests.js'
import { askLegacy, askModern } from './mcp/mcp-requests.js'
import { runHub } from './running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

const W3C = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${W3C}-00f067aa0ba902b7-01`
/** A trace by a name of its own, while the caller traces it under another. */
const META = { traceId: 'trace-sv-20260915-0012', traceparent: TRACEPARENT }
const TAKES_TASKS = {
  [META_KEYS.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}

let agent: ScriptedAgent
let service: ToolService
let url: string

beforeAll(async () => {
  agent = await serveScript([toolOf('short'), toolOf('long')])
  service = await serveToolService([manifestTool('search')])
  const hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } },
  })
  url = hub.url
})

afterAll(closeAll)

const traceOf = (traceparent: unknown) => /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(String(traceparent))?.[1]

describe("a caller's own tracing of a call whose trace has another name", () => {
  test.each<[string, () => Promise<JsonObject>]>([
    ['/rpc', async () => metaOf(await callTool(url, 'short', {}, META))],
    ['/rpc, a long call', async () => metaOf(await callTool(url, 'long', {}, META))],
    [
      '/rpc, by the header',
      async () => metaOf(await callTool(url, 'short', {}, { traceId: META.traceId }, { traceparent: TRACEPARENT })),
    ],
    [
      '/mcp of the legacy era',
      async () => (await askLegacy(url, 'tools/call', { name: 'short', _meta: META })).body.result?._meta ?? {},
    ],
    [
      '/mcp of the modern era',
      async () => (await askModern(url, 'tools/call', { name: 'short' }, META)).body.result?._meta ?? {},
    ],
  ])('is told back, and goes on at the agent: %s', async (_surface, call) => {
    const told = await call()
    expect(told.traceId).toBe(META.traceId)
    expect(traceOf(told.traceparent)).toBe(W3C)
    const seen = agent.calls.at(-1)?.meta
    expect([seen?.traceId, seen?.traceparent]).toEqual([META.traceId, told.traceparent])
  })

  test('goes on at the tool service of a public path', async () => {
    const answer = await callOnPath(`${url}/hr`, 'search', { query: 'x' }, { ...REVISION, traceparent: TRACEPARENT })
    const told = (answer.body.result?._meta ?? {}) as JsonObject
    expect([told.traceId, traceOf(told.traceparent)]).toEqual([W3C, W3C])
    expect(service.calls.at(-1)?.headers.traceparent).toBe(told.traceparent)
  })

  test('is told of its task, whoever asks for it and in what era, and in its answer', async () => {
    const created =
      (await askModern(url, 'tools/call', { name: 'long' }, { ...TAKES_TASKS, ...META })).body.result ?? {}
    const { taskId } = created
    const ask = async () => (await askModern(url, 'tasks/get', { taskId }, TAKES_TASKS)).body.result ?? {}
    await until(async () => (await ask()).status === 'completed')
    const modern = await ask()
    const legacy = (await askLegacy(url, 'tasks/result', { taskId })).body.result
    const told = [created, modern, modern.result as JsonObject, legacy].map(
      (result) => (result?._meta ?? {}) as JsonObject,
    )
    expect(told.map(({ traceparent }) => traceOf(traceparent))).toEqual([W3C, W3C, W3C, W3C])
    expect(new Set(told.map(({ traceparent }) => traceparent)).size).toBe(1)
    expect(agent.calls.at(-1)?.meta.traceparent).toBe(told[0]?.traceparent)
  })
})
