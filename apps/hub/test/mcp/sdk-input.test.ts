import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineTool, inputRequired } from '@synchub/agent-sdk'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { serveTools } from '../served-agent.js'
import { until } from '../until.js'
import { ASKED_ALL, ASKED_CLIENTS, connectAsked } from './asked-clients.js'
import { askLegacy, askModern, openSession, postMcp, streamMcp } from './mcp-requests.js'
import { orderTool } from './order-tool.mjs'
import { connectAnswering, type FormAnswer } from './stock-clients.js'

const form = {
  message: 'What is your name?',
  schema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
}

/** A tool of the SDK that asks who calls. */
const askingTool = (name: string, streams: boolean) =>
  defineTool({
    name,
    description: '',
    inputSchema: { type: 'object' },
    streams,
    handler: (_, { inputs, inputState }) => {
      const { who } = inputs.forms
      if (who === undefined) return inputRequired({ forms: { who: form }, state: { greeting: 'Hello' } })
      return who.action === 'accept' ? `${String(inputState?.greeting)}, ${String(who.content.name)}` : who.action
    },
  })

let hub: RunningHub

beforeAll(async () => {
  const { url } = await serveTools([askingTool('short', false), askingTool('long', true), orderTool('order', true)])
  hub = await runHub({ agents: { Agent: { url, tools: { short: { mode: 'direct' } } } } })
})

afterAll(closeAll)

async function callWith(name: string, answers: readonly FormAnswer[]): Promise<unknown> {
  const { client, timesAsked } = await connectAnswering(hub.url, answers)
  const { content } = await client.callTool({ name, arguments: {} })
  expect(timesAsked()).toBe(answers.length)
  return content
}

test.each(['short', 'long'])('the client 2.4 answers by itself what a %s tool of the SDK asks', async (name) => {
  const content = { name: 'Lee' }
  expect(await callWith(name, [{ action: 'accept', content }])).toMatchObject([{ text: 'Hello, Lee' }])
  expect(await callWith(name, [{ action: 'decline' }])).toMatchObject([{ text: 'decline' }])
})

test('an answer that does not keep the form is asked for again', async () => {
  const answers = ['L', 'Lee'].map((text) => ({ action: 'accept' as const, content: { name: text } }))
  expect(await callWith('short', answers)).toMatchObject([{ text: 'Hello, Lee' }])
})

test('a task shows what the agent of the SDK asks, and goes on with the answer', async () => {
  const takesTasks = {
    [META_KEYS.clientCapabilities]: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  const modern = async (method: string, params: JsonObject) =>
    (await askModern(hub.url, method, params, takesTasks)).body.result ?? {}
  const { taskId } = await modern('tools/call', { name: 'long', arguments: {} })
  const task = () => modern('tasks/get', { taskId })
  await until(async () => (await task()).status === 'input_required')
  expect(await task()).toMatchObject({ inputRequests: { who: { method: 'elicitation/create' } } })
  await modern('tasks/update', { taskId, inputResponses: { who: { action: 'accept', content: { name: 'Kim' } } } })
  await until(async () => (await task()).status === 'completed')
  expect(await task()).toMatchObject({ result: { content: [{ text: 'Hello, Kim' }] } })
})

const DONE = [{ type: 'text', text: '3 ordered, accept: Thank you!' }]

// The older clients post their answers at the same time, of which one once undid the other.
test.each(ASKED_CLIENTS)('%s fills in a form, opens a page and has its model write', async (kind) => {
  const { asked, callTool } = await connectAsked(kind, hub.url, ASKED_ALL)
  expect((await callTool('order')).content).toEqual(DONE)
  expect(new Set(asked.map(({ method, params }) => `${method} ${String(params.mode)}`))).toEqual(
    new Set(['elicitation/create form', 'elicitation/create url', 'sampling/createMessage undefined']),
  )
})

describe('a task of the legacy era', () => {
  const call = { name: 'order', arguments: {}, task: {} }
  const begin = async () => {
    const id = await openSession(hub.url, { ...ASKED_ALL })
    const headers = { 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Session-Id': id }
    const { task } = (await askLegacy(hub.url, 'tools/call', call, headers)).body.result as { task: JsonObject }
    const status = async () =>
      (await askLegacy(hub.url, 'tasks/get', { taskId: task.taskId }, headers)).body.result?.status
    await until(async () => (await status()) === 'input_required')
    return { taskId: task.taskId, headers, status }
  }
  const resultOf = (taskId: unknown) => ({ jsonrpc: '2.0', id: 'r', method: 'tasks/result', params: { taskId } })

  test('asks on the stream on which its result is waited for, each question with the task it belongs to', async () => {
    const { taskId, headers } = await begin()
    const stream = await streamMcp(hub.url, resultOf(taskId), headers)
    const answer = async (count: number, answers: readonly JsonObject[]) => {
      await until(() => stream.messages.length === count)
      for (const [index, { id }] of stream.messages.slice(-answers.length).entries()) {
        expect((await postMcp(hub.url, { jsonrpc: '2.0', id, result: answers[index] }, headers)).status).toBe(202)
      }
    }
    const [opened, paid] = [{ action: 'accept' }, { action: 'accept', content: { size: 3 } }]
    await answer(2, [paid, opened])
    await answer(3, [{ role: 'assistant', content: { type: 'text', text: 'Thank you!' }, model: 'theirs' }])
    await stream.over
    expect(stream.messages).toMatchObject([
      ...['elicitation/create', 'elicitation/create', 'sampling/createMessage'].map((method) => ({
        method,
        params: { _meta: { [META_KEYS.relatedTask]: { taskId } } },
      })),
      { id: 'r', result: { content: DONE } },
    ])
  })

  test('goes on asking where a client without streams, or nobody any more, waits for its result', async () => {
    const { taskId, headers, status } = await begin()
    const deaf = await postMcp(hub.url, resultOf(taskId), { ...headers, Accept: 'application/json' })
    expect(deaf.body.error?.data?.title).toBe('CAPABILITY_MISSING')
    const stream = await streamMcp(hub.url, resultOf(taskId), headers)
    await until(() => stream.messages.length === 2)
    stream.leave()
    await stream.over
    expect(await status()).toBe('input_required')
    expect((await askLegacy(hub.url, 'tasks/cancel', { taskId }, headers)).body.result?.status).toBe('cancelled')
  })
})
