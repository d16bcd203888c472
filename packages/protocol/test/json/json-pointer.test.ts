import { describe, expect, test } from '@jest/globals'
import { JSON_POINTER, valueAtPointer } from '../../src/index.js'

describe('a JSON Pointer', () => {
  const value = { a: [{ 'x/y': 1, 'm~n': 2 }, 'text'], '': 3 }

  test.each([
    ['', value],
    ['/a/0/x~1y', 1],
    ['/a/0/m~0n', 2],
    ['/', 3],
    ['/a/1', 'text'],
    ['/a/2', undefined],
    ['/a/01', undefined],
    ['/a/length', undefined],
    ['/a/1/length', undefined],
    ['/toString', undefined],
  ])('finds at %j %j', (pointer, found) => {
    expect(JSON_POINTER.test(pointer)).toBe(true)
    expect(valueAtPointer(pointer, value)).toEqual(found)
  })

  test.each(['a', 'a/b', '/~', '/~2'])('is not %j', (text) => {
    expect(JSON_POINTER.test(text)).toBe(false)
  })
})
