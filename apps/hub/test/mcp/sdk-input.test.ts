import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { defineTool, inputRequired } from '@synchub/agent-sdk'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { serveTools } from '../served-agent.js'
import { until } from '../until.js'
import { askModern } from './mcp-requests.js'
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
  const { url } = await serveTools([askingTool('short', false), askingTool('long', true)])
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
