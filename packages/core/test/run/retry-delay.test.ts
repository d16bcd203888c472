import { describe, expect, test } from '@jest/globals'
import { retryDelayMs } from '../../src/run/retry-delay.js'
import { policyWith } from './policy.js'

describe('retryDelayMs', () => {
  test('is as configured after the first attempt and doubles with each further one', () => {
    const policy = policyWith({ retryDelayMs: 1000 })
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(policy, attempt))).toEqual([1000, 2000, 4000, 8000])
  })

  test('stays within what a timer holds, however many attempts a tool may take', () => {
    const dayMs = 86_400_000
    expect(retryDelayMs(policyWith({ retryDelayMs: dayMs }), 1)).toBe(dayMs)
    expect(retryDelayMs(policyWith({ retryDelayMs: 3_600_000 }), 20)).toBe(dayMs)
  })
})
