import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import fc from 'fast-check'
import { digestIdempotency, digestKey } from '../../src/index.js'

const payload = (args: JsonObject, agent = 'Boot', tool = 'schema') =>
  digestIdempotency('key', agent, tool, args).payloadDigest

/** The same JSON value with the names of every object in the other order. */
function reverseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, reverseNames(part)]),
  )
}

describe('digestIdempotency', () => {
  test('is the SHA-256 of the key, and of agent, tool and arguments in canonical form', () => {
    expect(digestIdempotency('key', 'Boot', 'schema', { b: 1, a: 'x' })).toEqual({
      keyDigest: '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683',
      // printf '["Boot","schema",{"a":"x","b":1}]' | sha256sum
      payloadDigest: '4e6412c02a13bd93f15147dc34290a39b18cbc73e8ee58f21791dc0e88689769',
    })
    expect(digestKey('key')).toBe('2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683')
  })

  test('does not depend on the order of names, however deep', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(payload({ value: reverseNames(value) })).toBe(payload({ value }))
      }),
    )
  })

  test('differs for everything that is another call', () => {
    const digests = [
      payload({}),
      payload({ a: 1 }),
      payload({ a: '1' }),
      payload({ a: [1, 2] }),
      payload({ a: [2, 1] }),
      payload({ a: null }),
      payload({ a: 1 }, 'Insight'),
      payload({ a: 1 }, 'Boot', 'search'),
      payload({ a: 1 }, 'Boo', 'tschema'),
    ]
    expect(new Set(digests).size).toBe(digests.length)
  })

  test('takes numbers by their value and texts by their characters, not by how they were written', () => {
    expect(payload(JSON.parse('{"a":1.0,"b":1e2,"c":-0}'))).toBe(payload(JSON.parse('{"a":1,"b":100,"c":0}')))
    expect(payload(JSON.parse('{"\\u0061":"\\ud55c"}'))).toBe(payload({ a: '한' }))
  })

  test('tells composed from decomposed texts, and takes what is no Unicode text', () => {
    expect(payload({ a: '\u00e9' })).not.toBe(payload({ a: 'e\u0301' }))
    expect(payload({ a: '\ud83d' })).toBe(payload({ a: '\ud83d' }))
    expect(payload({ a: '\ud83d' })).not.toBe(payload({ a: '\ufffd' }))
    expect(payload(JSON.parse('{"__proto__":1}'))).not.toBe(payload({}))
  })
})
