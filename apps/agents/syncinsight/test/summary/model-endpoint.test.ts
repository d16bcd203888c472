import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SummarySettings } from '../../src/configuration/schema.js'
import { createSummarizer } from '../../src/summary/model-endpoint.js'
import { closeServers, serve } from '../web-server.js'

const MESSAGES = [{ role: 'user', content: '질문' }] as const
const KEY = 'sk-very-secret'

const settings = (endpoint: string, changes: Partial<SummarySettings> = {}): SummarySettings => ({
  endpoint,
  model: 'small-model',
  timeoutMs: 5_000,
  maxOutputTokens: 100,
  ...changes,
})

const ask = async (endpoint: string, changes: Partial<SummarySettings> = {}, signal = new AbortController().signal) =>
  createSummarizer(settings(endpoint, changes), KEY)(MESSAGES, signal)

function answer(status: number, body: unknown): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

const completion = (content: unknown, usage?: unknown) => ({
  choices: [{ message: { role: 'assistant', content } }],
  usage,
})

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

afterEach(closeServers)

describe('createSummarizer', () => {
  test.each(['/v1', '/v1/'])(
    'asks the endpoint below %s with its key and gives the summary and the usage',
    async (path) => {
      const bodies: unknown[] = []
      const server = await serve((request: IncomingMessage, response: ServerResponse) => {
        void bodyOf(request).then((body) => {
          bodies.push(body)
          answer(200, completion(' 요약. ', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }))(
            request,
            response,
          )
        })
      })
      expect(await ask(`${server.origin}${path}`)).toEqual({
        outcome: 'written',
        text: '요약.',
        model: 'small-model',
        tokenUsage: { promptTokens: 7, completionTokens: 3, totalTokens: 10 },
      })
      expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions' })
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
      expect(bodies).toMatchObject([{ model: 'small-model', messages: MESSAGES, max_tokens: 100, stream: false }])
    },
  )

  test.each([
    ['no usage', undefined],
    ['a usage that is none', { prompt_tokens: -1, completion_tokens: 'x' }],
  ])('invents no usage where the endpoint told %s', async (_name, usage) => {
    const server = await serve(answer(200, completion('요약.', usage)))
    expect(await ask(server.origin)).toEqual({ outcome: 'written', text: '요약.', model: 'small-model' })
  })

  test.each([
    ['an error status', 500, { error: KEY }, 'answered 500'],
    ['a refusal', 401, { error: `bad key ${KEY}` }, 'answered 401'],
    ['what is no JSON', 200, '<html>', 'something other than a chat completion'],
    ['another shape', 200, { choices: [{ text: 'x' }] }, 'something other than a chat completion'],
    ['no choice', 200, { choices: [] }, 'without a summary'],
    ['an empty summary', 200, completion('  '), 'without a summary'],
    ['no content', 200, completion(null), 'without a summary'],
    ['far too much', 200, completion('x'.repeat(1_100_000)), 'more than 1048576 bytes'],
  ])('gives a reason without the key when the endpoint answers %s', async (_name, status, body, reason) => {
    const server = await serve(answer(status, body))
    const summary = await ask(server.origin)
    expect(summary).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(reason) })
    expect(JSON.stringify(summary)).not.toContain(KEY)
  })

  test('tells the usage of an answer without a summary, since it was used all the same', async () => {
    const server = await serve(answer(200, completion('', { prompt_tokens: 7, completion_tokens: 0 })))
    expect(await ask(server.origin)).toMatchObject({ outcome: 'failed', tokenUsage: { totalTokens: 7 } })
  })

  test('does not follow a redirect with the documents and the key', async () => {
    const other = await serve(answer(200, completion('x')))
    const server = await serve((_request, response) => response.writeHead(307, { location: `${other.origin}/` }).end())
    expect(await ask(server.origin)).toMatchObject({ outcome: 'failed' })
    expect(other.connectionCount()).toBe(0)
  })

  test('gives up on a silent endpoint, and on one that is not there', async () => {
    const silent = await serve(() => undefined)
    expect(await ask(silent.origin, { timeoutMs: 100 })).toEqual({
      outcome: 'failed',
      reason: 'the model endpoint gave no answer within 100 ms',
    })
    await closeServers()
    expect(await ask(silent.origin)).toEqual({
      outcome: 'failed',
      reason: 'the model endpoint could not be asked (ECONNREFUSED)',
    })
  })

  test('stops when it is cancelled, and the endpoint notices', async () => {
    const silent = await serve(() => undefined)
    const controller = new AbortController()
    const asked = ask(silent.origin, {}, controller.signal)
    while (silent.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const closed = once(silent.requests[0]?.socket ?? process, 'close')
    controller.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await closed
  })
})
