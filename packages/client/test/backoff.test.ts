import { describe, expect, test } from '@jest/globals'
import { backoffDelayMs } from '../src/connection/backoff.js'

const least = () => 0
const most = () => 1

describe('backoffDelayMs', () => {
  test('doubles with each failure in a row up to its bound', () => {
    const delays = [1, 2, 3, 5, 6, 1000].map((failures) => backoffDelayMs({ failures }, least))
    expect(delays).toEqual([250, 500, 1000, 4000, 4000, 4000])
  })

  test('spreads by up to half as much again', () => {
    expect(backoffDelayMs({ failures: 2 }, most)).toBe(750)
  })

  test('is never shorter than the pause that the hub asked for', () => {
    expect(backoffDelayMs({ failures: 1, hintMs: 3000 }, least)).toBe(3000)
    expect(backoffDelayMs({ failures: 6, hintMs: 3000 }, least)).toBe(4000)
    expect(backoffDelayMs({ failures: 6, hintMs: 9000 }, least)).toBe(9000)
  })

  test('does not let a hub ask for a pause without end', () => {
    expect(backoffDelayMs({ failures: 1, hintMs: 1e12 }, most)).toBe(90_000)
  })
})
