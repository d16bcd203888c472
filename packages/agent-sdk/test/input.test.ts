import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type JsonObject, readLines } from '@synchub/protocol'
import { serveLines } from '../src/agent/stdio.js'
import { createLineLogger, defineAgent, inputRequired } from '../src/index.js'
import { testAgent } from '../src/testing/index.js'
import { paying, payTool } from './input-tools.js'
import { askLegacy, askModern, legacyBody, modernBody } from './mcp-requests.js'
import { atEnd, closeAll, collect, makeFolder, postJson, serve, storedAnswers, streamCall } from './served-agent.js'

const ELICITS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const META = { callId: 'c1', traceId: 't1', inputCapabilities: { elicitation: {} } }

const NOTHING = { forms: {}, pages: {}, samples: {} }
const FORMS_ONLY = { forms: true, pages: false, samples: false }

interface Answer {
  readonly result?: JsonObject & { readonly requestState?: string; readonly inputRequests?: JsonObject }
  readonly error?: { readonly code: number; readonly message: string; readonly data: JsonObject }
}

const params = (more: JsonObject = {}, meta: JsonObject = META) => ({
  name: 'pay',
  arguments: {},
  ...more,
  _meta: meta,
})
const native = async (url: string, more: JsonObject = {}, meta: JsonObject = META) =>
  (await postJson(url, legacyBody('tools/call', params(more, meta), 'c1'))).body as Answer
const modern = async (url: string, more: JsonObject = {}, meta: JsonObject = ELICITS) =>
  (await askModern(url, 'tools/call', params(more, meta))).body as Answer

afterEach(closeAll)

describe('a tool that asks its caller, over the native endpoint', () => {
  test('asks, and goes on with the answer and its own state; only the answer is kept', async () => {
    const { tool, runs } = payTool()
    const { url, dataDir } = await serve([tool])
    const { result } = await native(url)
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        amount: {
          method: 'elicitation/create',
          params: expect.objectContaining({ mode: 'form', message: 'How much?' }),
        },
      },
      requestState: expect.not.stringContaining('own'),
    })
    expect(await storedAnswers(dataDir)).toEqual([])
    const more = { inputResponses: { amount: paying(5) }, requestState: result?.requestState }
    expect((await native(url, more)).result).toMatchObject({ content: [{ text: 'paid 5' }] })
    expect(runs).toEqual([
      { inputs: NOTHING, inputState: undefined, canAsk: FORMS_ONLY },
      { inputs: { ...NOTHING, forms: { amount: paying(5) } }, inputState: { secret: 'own' }, canAsk: FORMS_ONLY },
    ])
    // A repeat, whatever it answers, is the same work.
    const repeat = await native(url, { ...more, inputResponses: { amount: paying(6) } })
    expect(repeat.result).toMatchObject({ content: [{ text: 'paid 5' }], _meta: { replayed: true } })
    expect((await native(url)).result).toMatchObject({ content: [{ text: 'paid 5' }] })
    expect(runs).toHaveLength(2)
  })

  test('asks with the last event of a stream', async () => {
    const { url } = await serve([payTool(true).tool])
    const events = await collect(streamCall(url, legacyBody('tools/call', params(), 'c1')))
    expect(events).toEqual([
      {
        event: 'input_required',
        data: { inputRequests: { amount: expect.anything() }, requestState: expect.anything() },
      },
    ])
  })

  test('holds its states also after the agent was started anew', async () => {
    const dataDir = await makeFolder()
    const first = await serve([payTool().tool], { dataDir })
    const { requestState } = (await native(first.url)).result ?? {}
    await first.stop()
    const { url } = await serve([payTool().tool], { dataDir })
    const { result } = await native(url, { inputResponses: { amount: paying(5) }, requestState })
    expect(result).toMatchObject({ content: [{ text: 'paid 5' }] })
  })
})

describe('answers', () => {
  test.each(['decline', 'cancel'])('that say %s reach the handler', async (action) => {
    const { url } = await serve([payTool().tool])
    const { requestState } = (await modern(url)).result ?? {}
    const { result } = await modern(url, { inputResponses: { amount: { action } }, requestState })
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: `not paid: ${action}` }] })
  })

  test.each<[string, JsonObject, string]>([
    ['of another type', { amount: paying('much') }, 'amount must be an integer'],
    ['below the minimum', { amount: paying(0) }, 'amount must be >= 1'],
    ['without content', { amount: { action: 'accept' } }, "'amount' is required"],
    [
      'with a field that the form does not have',
      { amount: { action: 'accept', content: { amount: 1, to: 2 } } },
      "'to' is not",
    ],
    ['without an action that is one', { amount: { action: 'maybe' } }, 'the action must be'],
    ['that are no object', { amount: 5 }, 'the answer is no object'],
  ])('%s are asked again, with the reason, and the handler is not run', async (_case, inputResponses, reason) => {
    const { tool, runs } = payTool()
    const { url } = await serve([tool])
    const { requestState } = (await modern(url)).result ?? {}
    const { result } = await modern(url, { inputResponses, requestState })
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { amount: expect.anything() } })
    expect(JSON.stringify(result?.inputRequests)).toContain(reason)
    expect(runs).toHaveLength(1)
    const again = { inputResponses: { amount: paying(5) }, requestState: result?.requestState }
    expect((await modern(url, again)).result).toMatchObject({ content: [{ text: 'paid 5' }] })
  })

  test('under wrong names, or without their state, answer nothing', async () => {
    const { tool, runs } = payTool()
    const { url } = await serve([tool])
    const { requestState } = (await modern(url)).result ?? {}
    const wrong = await modern(url, { inputResponses: { sum: paying(5) }, requestState })
    expect(wrong.result?.resultType).toBe('input_required')
    expect(runs).toHaveLength(1)
    const stateless = await modern(url, { inputResponses: { amount: paying(5) } })
    expect(stateless.result?.resultType).toBe('input_required')
  })
})

describe('a state', () => {
  test.each<[string, (state: string) => JsonObject]>([
    ['that nobody made', () => ({ requestState: 'nonsense' })],
    ['that was changed', (state) => ({ requestState: `${state.slice(0, -6)}AAAAAA` })],
    ['of other arguments', (requestState) => ({ requestState, arguments: { to: 'me' } })],
    ['of another call', (requestState) => ({ requestState, _meta: { ...ELICITS, callId: 'other' } })],
    ['that is no text', () => ({ requestState: 7 })],
  ])('%s is refused', async (_case, change) => {
    const { url } = await serve([payTool().tool])
    const { requestState = '' } = (await modern(url)).result ?? {}
    const { body } = await askModern(url, 'tools/call', {
      ...params({ inputResponses: { amount: paying(5) } }, ELICITS),
      ...change(requestState),
    })
    expect((body as Answer).error).toMatchObject({ code: -32602, data: { path: 'requestState' } })
  })

  test('is used once: a second answer over MCP gets the first result', async () => {
    const { tool, runs } = payTool()
    const { url } = await serve([tool])
    const { requestState } = (await modern(url)).result ?? {}
    const answers = []
    for (const amount of [5, 6]) {
      answers.push((await modern(url, { inputResponses: { amount: paying(amount) }, requestState })).result)
    }
    expect(answers).toMatchObject([{ content: [{ text: 'paid 5' }] }, { content: [{ text: 'paid 5' }] }])
    expect(runs).toHaveLength(2)
  })
})

describe('a client that cannot be asked', () => {
  test('of the modern era is told which capability it lacks', async () => {
    const { tool, runs } = payTool()
    const { error } = await modern((await serve([tool])).url, {}, {})
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
    expect(runs).toMatchObject([{ canAsk: { forms: false } }])
  })

  test('of the legacy era is told which revision asks', async () => {
    const { body } = await askLegacy((await serve([payTool().tool])).url, 'tools/call', params({}, ELICITS))
    expect((body as Answer).error).toMatchObject({ message: expect.stringContaining('2026-07-28') })
    expect((body as Answer).error?.data.title).toBe('CAPABILITY_MISSING')
  })
})

test('asks over stdio too', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const agent = defineAgent({ name: 'Tester', version: '1.0.0', tools: [payTool().tool] })
  const logger = createLineLogger({ write: () => true })
  const settings = { dataDir: await makeFolder(), logger, stopGraceMs: 50, stopAbortMs: 50 }
  const { ended, stop } = await serveLines(agent, settings, { input, output })
  atEnd(async () => {
    stop()
    await ended
  })
  const lines = readLines(output, 1024 * 1024)
  const ask = async (text: string): Promise<Answer> => {
    input.write(`${text}\n`)
    const { value } = await lines.next()
    if (value?.kind !== 'line') throw new Error('the agent wrote no further line')
    return JSON.parse(value.text)
  }
  const { requestState } = (await ask(modernBody('tools/call', params({}, ELICITS), 1))).result ?? {}
  const more = { inputResponses: { amount: paying(5) }, requestState }
  const { result } = await ask(modernBody('tools/call', params(more, ELICITS), 2))
  expect(result).toMatchObject({ content: [{ text: 'paid 5' }] })
  expect((await ask(legacyBody('tools/call', params({}, {}), 3))).error?.data.title).toBe('CAPABILITY_MISSING')
})

describe('in a test', () => {
  const agent = testAgent(defineAgent({ name: 'Tester', version: '1.0.0', tools: [payTool().tool] }))

  test('a script answers what is asked, again where it answers badly', async () => {
    let asked = 0
    const inputs = () => ({ amount: { action: 'accept' as const, content: { amount: asked++ } } })
    expect(await agent.call('pay', {}, { inputs })).toMatchObject({ content: [{ text: 'paid 1' }] })
    await expect(agent.call('pay', {}, { inputs: () => ({}) })).rejects.toThrow('asked 10 times')
    await expect(agent.call('pay')).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
  })
})

test.each<[string, JsonObject]>([
  ['no object', { type: 'string' }],
  ['an object in an object', { type: 'object', properties: { a: { type: 'object' } } }],
  ['a list of numbers', { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } }],
])('a form of %s is refused where it is made', (_case, schema) => {
  expect(() => inputRequired({ forms: { f: { message: 'm', schema } } })).toThrow('the form f')
  expect(() => inputRequired({ forms: {} })).toThrow('at least one question')
})
