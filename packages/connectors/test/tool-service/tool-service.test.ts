import { afterEach, describe, expect, test } from '@jest/globals'
import type { ToolServiceConnectionOptions } from '../../src/index.js'
import { closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { type Answer, connect, sending, serve, TOOL, text } from './served-service.js'

const never = new AbortController().signal

afterEach(closeAll)

/** Calls a tool that answers so. */
async function outcomeOf(
  answer: Answer,
  tool: object = TOOL,
  options: Partial<ToolServiceConnectionOptions> = {},
): Promise<Awaited<ReturnType<typeof call>>['outcome']> {
  const { url } = await serve(answer, { tools: [tool] })
  return (await call(connect(url, options))).outcome
}

describe('a call to a tool service', () => {
  test('is a POST of the arguments alone, with the identity of the call in headers', async () => {
    const { url, of } = await serve(sending('text/plain', 'ok'))
    await call(connect(url, { secret: 'open-sesame' }), never, { arguments: { city: '서울', list: [1] } })
    const [request] = of('/tools/work')
    expect(request).toMatchObject({ method: 'POST', body: '{"city":"서울","list":[1]}' })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer open-sesame',
      'synchub-call-id': REQUEST.callId,
      'synchub-trace-id': REQUEST.traceId,
      'synchub-attempt': '2',
      'idempotency-key': REQUEST.callId,
    })
    expect(request?.headers).not.toHaveProperty('accept-encoding')
  })

  test.each<[string, string, string | Buffer, unknown]>([
    ['plain text', 'text/plain; charset=utf-8', '안녕 🎉\n', text('안녕 🎉\n')],
    ['no text', 'text/plain', '', text('')],
    ['HTML', 'text/html', '<p>hi</p>', text('<p>hi</p>')],
    [
      'an object',
      'application/json',
      '{ "a" : 1.0,\n "b c": "x : y \\" , \\\\" }',
      text('{"a":1.0,"b c":"x : y \\" , \\\\"}'),
    ],
    ['a large number', 'application/json', '[ 12345678901234567890 ]', text('[12345678901234567890]')],
    ['a problem document', 'application/problem+json', '{"a": []}', text('{"a":[]}')],
    ['a text in JSON', 'application/json', '"hi\\n"', text('hi\n')],
    ['a number in JSON', 'application/json', ' 7 ', text('7')],
    [
      'an image',
      'image/png',
      Buffer.from([0, 255]),
      { kind: 'result', result: { content: [{ type: 'image', data: 'AP8=', mimeType: 'image/png' }], isError: false } },
    ],
    ['nothing', '', '', { kind: 'result', result: { content: [], isError: false } }],
  ])('has its answer passed on when it is %s', async (_, type, body, outcome) => {
    expect(await outcomeOf(sending(type, body))).toEqual(outcome)
  })

  test('has a structured result where its tool promises one', async () => {
    const tool = { ...TOOL, outputSchema: { type: 'object' } }
    expect(await outcomeOf(sending('application/json', '{ "a": [ 1 ] }'), tool)).toEqual({
      kind: 'result',
      result: { content: [{ type: 'text', text: '{"a":[1]}' }], structuredContent: { a: [1] }, isError: false },
    })
    // The hub finds the promise broken then.
    expect(await outcomeOf(sending('application/json', '[1]'), tool)).toEqual(text('[1]'))
  })

  test('is told its call as a span of the trace, where that has such a name', async () => {
    const { url, of } = await serve(sending('text/plain', 'ok'))
    const connection = connect(url)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-8444555566667777-01'
    await call(connection, never, { traceparent })
    await call(connection)
    expect(of('/tools/work').map(({ headers }) => headers.traceparent)).toEqual([traceparent, undefined])
  })

  test('has its text alone where that is all that is wanted of its results', async () => {
    const tool = { ...TOOL, outputSchema: { type: 'object' } }
    const outcome = await outcomeOf(sending('application/json', '{ "a": 1.50 }'), tool, { results: 'text' })
    expect(outcome).toEqual(text('{"a":1.50}'))
  })

  test('carries what its caller sent for the service, byte by byte and beside our own headers', async () => {
    const { url, of } = await serve(sending('text/plain', 'ok'))
    const bytes = Buffer.from('사원-7', 'utf8').toString('latin1')
    const carried = { 'employee-no': 'E-4711', 'virtual-employee-no': bytes, 'SyncHub-Call-Id': 'mine' }
    await call(connect(url), never, { carried })
    const headers = of('/tools/work')[0]?.headers
    expect(headers).toMatchObject({ 'employee-no': 'E-4711', 'virtual-employee-no': bytes })
    expect(headers?.['synchub-call-id']).toBe(REQUEST.callId)
  })

  test.each<[number, string, string, string]>([
    [400, 'text/plain', 'no such city', 'no such city'],
    [422, 'application/json', '{ "error": "no" }', '{ "error": "no" }'],
    [401, 'text/plain', 'who are you?', 'who are you?'],
    [500, 'text/plain', '', 'the tool answered HTTP 500'],
    [503, 'application/pdf', 'x', 'the tool answered HTTP 503'],
  ])('is a tool that ran and failed when it is answered with HTTP %i', async (status, type, body, expected) => {
    expect(await outcomeOf(sending(type, body, status))).toEqual({
      kind: 'result',
      result: { content: [{ type: 'text', text: expected, _meta: { httpStatus: status } }], isError: true },
    })
  })

  test.each<[string, Answer, RegExp]>([
    ['no JSON', sending('application/json', '{'), /^the answer is no JSON$/],
    ['text that is not UTF-8', sending('text/plain', Buffer.from([0xff])), /^the answer is not UTF-8$/],
    ['what cannot be passed on', sending('application/pdf', 'x'), /^HTTP 200 came as application\/pdf, which cannot/],
    ['something without a type', sending('', 'x'), /^HTTP 200 came without a media type$/],
    [
      'a redirect',
      (res) => res.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      /^HTTP 307 redirects, which is never followed$/,
    ],
    [
      'a compressed body',
      (res) => res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'br' }).end('x'),
      /^its answer is encoded as br, which nobody asked for$/,
    ],
    ['more than the bound', sending('text/plain', 'x'.repeat(5_000)), /^the answer is larger than 4000 bytes$/],
    [
      'JSON nested without a bound',
      sending('application/json', `${'['.repeat(200)}${']'.repeat(200)}`),
      /deeper than 128/,
    ],
  ])('finds the contract broken by %s', async (_, answer, reason) => {
    expect(await outcomeOf(answer, TOOL, { maxResultBytes: 4_000 })).toMatchObject({
      kind: 'broken',
      error: { code: 'CONTRACT_BROKEN', reason: expect.stringMatching(reason) },
    })
  })

  test('does not know the outcome when the connection is lost', async () => {
    expect(await outcomeOf((res) => res.destroy())).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } })
  })

  test('asks nobody for a tool that the manifest does not have', async () => {
    const { url, requests } = await serve(sending('text/plain', 'ok'))
    const { outcome } = await call(connect(url), never, { tool: '../admin' })
    expect(outcome).toMatchObject({ kind: 'error', error: { code: 'METHOD_NOT_FOUND' } })
    expect(requests.map((request) => request.url)).toEqual(['/api/manifest.json'])
  })
})
