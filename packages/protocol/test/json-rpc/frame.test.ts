import { describe, expect, test } from '@jest/globals'
import { type Body, type Frame, parseBody } from '../../src/index.js'

const LIMITS = { maxDepth: 64, maxBatchSize: 3 }

function parse(text: string): Body {
  return parseBody(text, LIMITS)
}

function parseOne(members: string): Frame {
  const body = parse(`{"jsonrpc":"2.0",${members}}`)
  if (body.batch) throw new Error('this is a batch')
  return body.frame
}

function summarise(frame: Frame): unknown {
  return frame.kind === 'invalid' ? [frame.error.code, frame.id] : [frame.kind, frame.kind === 'request' && frame.id]
}

describe('parseBody: ids', () => {
  test.each([
    ['0', 0],
    ['""', ''],
    ['"0"', '0'],
    ['1', 1],
    ['-1', -1],
    ['1.5', 1.5],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['"9007199254740993"', '9007199254740993'],
    ['"\\ud83d"', '\ud83d'],
    ['"한글 \\u0000"', '한글 \0'],
  ])('gives the id %s back as it came', (text, id) => {
    expect(parseOne(`"id":${text},"method":"ping"`)).toEqual({ kind: 'request', id, method: 'ping', params: {} })
  })

  test.each(['9007199254740992', '9007199254740993', '-9007199254740992', '1e300', '1e400', '-1e400'])(
    'refuses the id %s, which cannot be held exactly, and does not answer somebody else',
    (text) => {
      const frame = parseOne(`"id":${text},"method":"ping"`)
      expect(summarise(frame)).toEqual(['INVALID_REQUEST', null])
      expect(frame).toMatchObject({ error: { reason: expect.stringContaining('send it as a string') } })
    },
  )

  test.each(['null', '{}', '[]', '[1]', 'true', 'false'])('refuses the id %s', (text) => {
    const frame = parseOne(`"id":${text},"method":"ping"`)
    expect(summarise(frame)).toEqual(['INVALID_REQUEST', null])
    expect(frame).toMatchObject({ error: { reason: 'the member "id" must be a string or a number' } })
  })

  test('reads a request without an id as a notification', () => {
    const frame = parseOne('"method":"notifications/initialized","params":{"a":1}')
    expect(frame).toEqual({ kind: 'notification', method: 'notifications/initialized', params: { a: 1 } })
  })
})

describe('parseBody: members', () => {
  test.each(['"x"', 'null', '7', 'false'])(
    'refuses the params %s, which are no structure, and keeps the id',
    (params) => {
      expect(summarise(parseOne(`"id":"a","method":"m","params":${params}`))).toEqual(['INVALID_REQUEST', 'a'])
      expect(summarise(parseOne(`"method":"m","params":${params}`))).toEqual(['INVALID_REQUEST', null])
    },
  )

  test('refuses params by position as bad params of that request', () => {
    const frame = parseOne('"id":0,"method":"m","params":[1]')
    expect(frame).toMatchObject({
      kind: 'invalid',
      id: 0,
      error: { code: 'INVALID_PARAMS', details: { path: 'params', expected: 'object' } },
    })
  })

  test('does not answer a notification whose params are by position', () => {
    expect(parseOne('"method":"m","params":[1]')).toEqual({ kind: 'notification', method: 'm', params: {} })
  })

  test.each([
    ['{"id":1,"method":"m"}', 1],
    ['{"jsonrpc":"1.0","id":1,"method":"m"}', 1],
    ['{"jsonrpc":2.0,"id":"a","method":"m"}', 'a'],
    ['{"jsonrpc":"2.0","id":1}', 1],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 1],
    ['{"jsonrpc":"2.0","method":1,"params":"bar"}', null],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 1],
    ['{}', null],
    ['"text"', null],
    ['7', null],
    ['null', null],
    ['true', null],
  ])('refuses %s as no request, with the id where one is there', (text, id) => {
    const body = parse(text)
    expect(body.batch ? body : summarise(body.frame)).toEqual(['INVALID_REQUEST', id])
  })

  test('reads inherited names as members of nobody', () => {
    expect(parseOne('"method":"m","__proto__":{"id":5}')).toMatchObject({ kind: 'notification' })
  })

  test('takes U+2028, NUL and lone surrogates in texts as they are', () => {
    const frame = parseOne('"id":1,"method":"m","params":{"a":"\u2028\u2029","b":"\\u0000","c":"\\ud83d"}')
    expect(frame).toMatchObject({ params: { a: '\u2028\u2029', b: '\0', c: '\ud83d' } })
  })
})

describe('parseBody: what is no JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"jsonrpc":"2.0","method":"foobar,"params":"bar"}',
    '[1,]',
    "{'a':1}",
    'NaN',
    '{} {}',
    '\ufeff{}',
  ])('throws PARSE_ERROR for %j', (text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'PARSE_ERROR', message: 'Parse Error: the body is not a JSON text' }),
    )
  })
})

describe('parseBody: batches', () => {
  const frames = (text: string) => {
    const body = parse(text)
    return body.batch ? body.frames.map(summarise) : ['alone', summarise(body.frame)]
  }

  test('answers an empty batch with one error', () => {
    expect(frames('[]')).toEqual(['alone', ['INVALID_REQUEST', null]])
  })

  test('answers each element that is no request in its place', () => {
    expect(frames('[1]')).toEqual([['INVALID_REQUEST', null]])
    expect(frames('[1,2,3]')).toEqual([1, 2, 3].map(() => ['INVALID_REQUEST', null]))
    expect(frames('[[]]')).toEqual([['INVALID_REQUEST', null]])
  })

  test('keeps requests, notifications and faults of one batch apart, in order', () => {
    const text = `[
      {"jsonrpc":"2.0","method":"a","id":"1"},
      {"jsonrpc":"2.0","method":"b"},
      {"foo":"boo","id":5}]`
    expect(frames(text)).toEqual([
      ['request', '1'],
      ['notification', false],
      ['INVALID_REQUEST', 5],
    ])
  })

  test('takes as many as the bound, and refuses the whole batch beyond it', () => {
    const request = '{"jsonrpc":"2.0","method":"m","id":1}'
    expect(frames(`[${request},${request},${request}]`)).toHaveLength(3)
    const body = parse(`[${Array(4).fill(request).join(',')}]`)
    expect(body).toMatchObject({
      batch: false,
      frame: { kind: 'invalid', id: null, error: { code: 'INVALID_REQUEST', details: { limit: 3 } } },
    })
  })
})
