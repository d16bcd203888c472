import { describe, expect, test } from '@jest/globals'
import { formatOf } from '../../src/language/written-format.js'

describe('durations and ages', () => {
  test.each([
    [0, '0ms', '0ms'],
    [850, '850ms', '850ms'],
    [1250, '1.2s', '1.2초'],
    [59_999, '59.9s', '59.9초'],
    [192_000, '3m 12s', '3분 12초'],
    [7_500_000, '2h 5m', '2시간 5분'],
    [172_800_000, '2d', '2일'],
  ])('write %i ms as people of each language do', (ms, english, korean) => {
    expect(formatOf('en').duration(ms)).toBe(english)
    expect(formatOf('ko').duration(ms)).toBe(korean)
  })

  test('tell how long ago something was', () => {
    expect(formatOf('en').age(61_000)).toBe('1m ago')
    expect(formatOf('ko').age(7_200_000)).toBe('2시간 전')
  })
})
