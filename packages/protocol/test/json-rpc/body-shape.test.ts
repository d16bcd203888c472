import { describe, expect, test } from '@jest/globals'
import { parseBody } from '../../src/index.js'
import { measureCpuMs } from '../cpu-time.js'

const LIMITS = { maxDepth: 64, maxBatchSize: 3 }

function request(params: string): string {
  return `{"jsonrpc":"2.0","id":"mine","method":"m","params":${params}}`
}

function refusalOf(text: string) {
  const body = parseBody(text, LIMITS)
  if (body.batch || body.frame.kind !== 'invalid') return undefined
  const { id, error } = body.frame
  return { id, code: error.code, reason: error.reason, limit: error.details.limit }
}

describe('parseBody: depth', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  test('takes a body as deep as the bound and refuses one level more, with the id', () => {
    // The request is a level itself.
    expect(refusalOf(request(nested(63)))).toBeUndefined()
    expect(refusalOf(request(nested(64)))).toEqual({
      id: 'mine',
      code: 'INVALID_REQUEST',
      reason: 'the body is nested deeper than 64 levels',
      limit: 64,
    })
  })

  test('counts arrays and objects alike, and neither width nor brackets in texts', () => {
    expect(refusalOf(request(`{"a":${'['.repeat(62)}${']'.repeat(62)}}`))).toBeUndefined()
    expect(refusalOf(request(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`))).toMatchObject({ limit: 64 })
    expect(refusalOf(request(`{"a":[${'[],'.repeat(1000)}1]}`))).toBeUndefined()
    expect(refusalOf(request(`{"a":"${'[{'.repeat(1000)}"}`))).toBeUndefined()
  })

  test.each([10_000, 1_000_000])('answers depth %i at once and with the id', (levels) => {
    const text = request(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    const cpuMs = measureCpuMs(() => {
      expect(refusalOf(text)).toMatchObject({ id: 'mine', code: 'INVALID_REQUEST', limit: 64 })
    })
    expect(cpuMs).toBeLessThan(3000)
  })

  test('answers a batch that is too deep as a whole', () => {
    expect(refusalOf(`[${request(nested(63))}]`)).toMatchObject({ id: null, limit: 64 })
  })
})

describe('parseBody: a name that stands twice in one object', () => {
  test.each([
    ['at the top', '{"jsonrpc":"2.0","id":"mine","method":"m","method":"n"}', 'method'],
    ['in params', request('{"a":1,"a":2}'), 'a'],
    ['deep in arrays', request('{"x":[[{"y":[{"a":1,"b":2,"a":3}]}]]}'), 'a'],
    ['after a nested object', request('{"a":{"b":1},"b":2,"a":3}'), 'a'],
    ['after a nested array', request('{"a":[1,{"c":1}],"a":3}'), 'a'],
    ['with an escape', request('{"a":1,"\\u0061":2}'), 'a'],
    ['with an escaped quote', request('{"\\"":1,"\\u0022":2}'), '"'],
    ['as the empty name', request('{"":1,"":2}'), ''],
    ['as __proto__', request('{"__proto__":1,"__proto__":2}'), '__proto__'],
    ['spread over white space', request('{"a" : 1 ,\n "a"\t: 2}'), 'a'],
  ])('is refused %s, with the id', (_, text, name) => {
    expect(refusalOf(text)).toMatchObject({
      id: 'mine',
      code: 'INVALID_REQUEST',
      reason: `the name ${JSON.stringify(name)} stands twice in one object`,
    })
  })

  test.each([
    ['{"a":{"a":{"a":1}}}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":"a","b":"a"}'],
    ['{"a":["a","a"]}'],
    ['{"a":"\\"a\\":1,\\"a\\":2"}'],
    ['{"a\\\\":1,"a":2}'],
    ['{"a":"\\\\","b":"\\\\\\"a"}'],
    ['{"a":1,"A":2,"a ":3}'],
  ])('is not seen in %s', (json) => {
    expect(refusalOf(request(`{"x":${json}}`))).toBeUndefined()
  })

  test('is found fast in four megabytes of names, quotes and backslashes', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"${'\\\\'.repeat(9)}\\"${index}":0`).join(',')
    const text = request(`{${names},"z":"${'\\\\'.repeat(400_000)}","z":1}`)
    const cpuMs = measureCpuMs(() => expect(refusalOf(text)).toMatchObject({ id: 'mine' }))
    expect(cpuMs).toBeLessThan(3000)
  })
})
