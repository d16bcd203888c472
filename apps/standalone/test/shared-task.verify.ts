import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { createClient, type TraceEventItem, type WatchItem } from '@synchub/client'
import type { JsonObject } from '@synchub/protocol'
import { openReferencePlace, type ReferencePlace, until } from './reference-place.js'

// Agents are processes.
jest.setTimeout(60_000)

const MODERN = '2026-07-28'
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const QUESTION = { question: 'How is a trace resumed?', sources: ['readme', 'docs'] }

let place: ReferencePlace

beforeAll(async () => {
  place = await openReferencePlace(2)
})

afterAll(async () => {
  await place.stop()
})

/** Asks as a client of the modern era that takes tasks. */
async function ask(url: string, method: string, params: JsonObject, name: string, more: JsonObject = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': TASKS,
    ...more,
  }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': method,
      'Mcp-Name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
  return ((await response.json()) as { readonly result: JsonObject }).result
}

async function readAll(items: AsyncIterable<WatchItem>): Promise<TraceEventItem[]> {
  const events: TraceEventItem[] = []
  for await (const item of items) if (item.kind === 'event') events.push(item)
  return events
}

test('a research that one client starts as a task is watched by another and fetched at a second hub: one call, one log, one result', async () => {
  const [first = '', second = ''] = place.urls
  const traceId = 'shared-research'
  const tool = 'syncinsight_deep_research'
  const created = await ask(first, 'tools/call', { name: tool, arguments: QUESTION }, tool, { traceId })
  const { taskId } = created
  expect(created).toMatchObject({ resultType: 'task', status: 'working', _meta: { callId: taskId, traceId } })

  const watched = readAll(createClient({ baseUrl: first, callerAgent: 'Watcher' }).watch(traceId))
  const fetchTask = () => ask(second, 'tasks/get', { taskId }, String(taskId))
  expect(await fetchTask()).toMatchObject({ resultType: 'complete', taskId })
  await until(async () => (await fetchTask()).status !== 'working')
  const task = await fetchTask()
  const events = await watched

  expect(new Set(events.map(({ data }) => data.callId))).toEqual(new Set([taskId]))
  expect(events.filter(({ event }) => event === 'progress').length).toBeGreaterThan(1)
  const atSecond = await readAll(createClient({ baseUrl: second, callerAgent: 'Watcher' }).watch(traceId))
  expect(atSecond).toEqual(events)

  const { result, content } = { ...events.at(-1)?.data } as JsonObject
  expect(result).toMatchObject({ reportId: expect.stringMatching(/^rep-/) })
  expect(task).toMatchObject({ status: 'completed', result: { structuredContent: result, content, isError: false } })
  expect((await createClient({ baseUrl: second, callerAgent: 'Watcher' }).getCall(String(taskId))).result).toEqual(
    result,
  )
})
