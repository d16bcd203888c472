import { describe, expect, test } from '@jest/globals'
import { takeRandomBytes } from '../../src/call/random-bytes.js'

describe('random bytes out of a pool', () => {
  test('are as many as were asked for and never the same twice, also where the pool is filled anew between', () => {
    const taken = Array.from({ length: 2000 }, (_, at) => takeRandomBytes(at % 2 === 0 ? 16 : 6).toString('hex'))
    expect(taken.slice(0, 2).map(({ length }) => length)).toEqual([32, 12])
    expect(new Set(taken).size).toBe(taken.length)
  })
})
