import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { defineAgent, defineTool, type InputOptions, inputRequired } from '../src/index.js'
import { testAgent } from '../src/testing/index.js'
import { bankTool } from './input-tools.js'
import { askModern, legacyBody } from './mcp-requests.js'
import { closeAll, postJson, serve } from './served-agent.js'

const OPENED = { signIn: { action: 'accept' } }
const WRITTEN = { role: 'assistant', content: { type: 'text', text: 'Short.' }, model: 'theirs', stopReason: 'endTurn' }
const ALL = { elicitation: { url: {} }, sampling: {} }
const agent = testAgent(defineAgent({ name: 'Tester', version: '1.0.0', tools: [bankTool] }))

interface Answer {
  readonly result?: JsonObject & { readonly inputRequests?: JsonObject }
  readonly error?: { readonly code: number; readonly message: string; readonly data: JsonObject }
}

afterEach(closeAll)

async function modern(url: string, capabilities: JsonObject, more: JsonObject = {}): Promise<Answer> {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
  return (await askModern(url, 'tools/call', { name: 'bank', arguments: {}, ...more, _meta: meta })).body as Answer
}

async function native(url: string, inputCapabilities: JsonObject, more: JsonObject = {}): Promise<Answer> {
  const params = { name: 'bank', arguments: {}, ...more, _meta: { callId: 'c1', traceId: 't1', inputCapabilities } }
  return (await postJson(url, legacyBody('tools/call', params, 'c1'))).body as Answer
}

describe.each([
  ['MCP', modern],
  ['the native endpoint', native],
])('a tool that asks over %s', (_way, ask) => {
  test('has a page opened, then a model write, and gets what it wrote', async () => {
    const { url } = await serve([bankTool])
    const first = (await ask(url, ALL)).result ?? {}
    expect(first.inputRequests).toEqual({
      signIn: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Sign in at the bank', url: 'https://bank.example/sign-in?order=7' },
      },
    })
    const second = (await ask(url, ALL, { inputResponses: OPENED, requestState: first.requestState })).result ?? {}
    expect(second.inputRequests).toEqual({
      summary: {
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: 'Sum this up' } }],
          maxTokens: 50,
          systemPrompt: 'Be brief.',
        },
      },
    })
    const more = { inputResponses: { summary: WRITTEN }, requestState: second.requestState }
    expect((await ask(url, ALL, more)).result).toMatchObject({
      structuredContent: {
        text: 'Short.',
        content: [{ type: 'text', text: 'Short.' }],
        model: 'theirs',
        stopReason: 'endTurn',
        canAsk: { forms: false, pages: true, samples: true },
      },
    })
  })
})

test.each([
  ['a page, of a client that shows forms only', { elicitation: {} }, {}, { elicitation: { url: {} } }],
  ['a model, of a client that has none', { elicitation: { url: {} } }, OPENED, { sampling: {} }],
])('asks no client for what it has not declared: %s', async (_case, capabilities, inputResponses, missing) => {
  const { url } = await serve([bankTool])
  const { requestState } = (await modern(url, ALL)).result ?? {}
  const { error } = await modern(url, capabilities, { inputResponses, requestState })
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: missing } })
})

test('a page that is not opened is told to the handler', async () => {
  const inputs = () => ({ signIn: { action: 'cancel' } })
  expect(await agent.call('bank', {}, { inputs })).toMatchObject({ content: [{ text: 'not signed in: cancel' }] })
})

test('what a model wrote in several items is one text and all the items', async () => {
  const content = [
    { type: 'text', text: 'A' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'text', text: 'B' },
  ]
  const inputs = () => ({ ...OPENED, summary: { role: 'assistant', content, model: 'theirs' } })
  const { structuredContent } = await agent.call('bank', {}, { inputs })
  expect(structuredContent).toMatchObject({ text: 'AB', content })
  expect(structuredContent).not.toHaveProperty('stopReason')
})

test.each<[string, JsonObject]>([
  ['a page answered by no action', { signIn: { action: 'opened' } }],
  ['a sample of no role', { ...OPENED, summary: { ...WRITTEN, role: 'system' } }],
  ['a sample without the model', { ...OPENED, summary: { ...WRITTEN, model: undefined } }],
  ['a sample that stopped for no words', { ...OPENED, summary: { ...WRITTEN, stopReason: 7 } }],
  ['a sample without content', { ...OPENED, summary: { ...WRITTEN, content: undefined } }],
  ['a sample of text without text', { ...OPENED, summary: { ...WRITTEN, content: { type: 'text' } } }],
  ['a sample that calls a tool', { ...OPENED, summary: { ...WRITTEN, content: { type: 'tool_use' } } }],
])('%s is asked for again, and the handler does not see it', async (_case, answers) => {
  const inputs = () => answers as Record<string, JsonObject>
  await expect(agent.call('bank', {}, { inputs })).rejects.toThrow('asked 10 times')
})

const form = { message: 'm', schema: { type: 'object', properties: {} } }
const message = { role: 'user', content: 'Hello' } as const
test.each<[string, InputOptions]>([
  ['url must be absolute', { pages: { p: { message: 'm', url: '/sign-in' } } }],
  ['of https or http', { pages: { p: { message: 'm', url: 'javascript:alert(1)' } } }],
  ['must name no user', { pages: { p: { message: 'm', url: 'https://me:secret@bank.example/' } } }],
  ['needs a message', { pages: { p: { message: '', url: 'https://bank.example/' } } }],
  ['at least one message', { samples: { s: { messages: [], maxTokens: 1 } } }],
  ['maxTokens must be', { samples: { s: { messages: [message], maxTokens: 0 } } }],
  [
    'content is a string',
    { samples: { s: { messages: [{ role: 'user', content: { type: 'resource' } }], maxTokens: 1 } } },
  ],
  ['one name stands for two', { forms: { x: form }, samples: { x: { messages: [message], maxTokens: 1 } } }],
])('a question is refused where it is made: %s', (reason, options) => {
  expect(() => inputRequired(options)).toThrow(reason)
})

test('questions of every kind can be asked at once', async () => {
  const tool = defineTool({
    name: 'all',
    description: '',
    inputSchema: { type: 'object' },
    handler: (_, { inputs }) =>
      inputs.forms.f === undefined
        ? inputRequired({
            forms: { f: form },
            pages: { p: { message: 'm', url: 'https://bank.example/' } },
            samples: { s: { messages: [message], maxTokens: 1 } },
          })
        : { structuredContent: { ...inputs } },
  })
  const all = testAgent(defineAgent({ name: 'Tester', version: '1.0.0', tools: [tool] }))
  const inputs = () => ({ f: { action: 'decline' }, p: { action: 'accept' }, s: WRITTEN })
  expect((await all.call('all', {}, { inputs })).structuredContent).toMatchObject({
    forms: { f: { action: 'decline' } },
    pages: { p: { action: 'accept' } },
    samples: { s: { text: 'Short.' } },
  })
})
