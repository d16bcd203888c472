import { describe, expect, test } from '@jest/globals'
import { maskSecret } from '../../src/run/secret-mask.js'

describe("an agent's secret in what the agent sent", () => {
  test('is taken out wherever it stands', () => {
    const data = { error: { message: 'Bearer agent-secret leaked', data: { detail: ['agent-secret'] } } }
    expect(maskSecret(data, 'agent-secret')).toEqual({
      error: { message: 'Bearer [redacted] leaked', data: { detail: ['[redacted]'] } },
    })
  })

  test('is found when JSON writes it otherwise', () => {
    expect(maskSecret({ message: 'say "quoted\\one"' }, '"quoted\\one"')).toEqual({ message: 'say [redacted]' })
  })

  test('leaves data without it, and agents without one, as they are', () => {
    const data = { message: 'all is well' }
    expect(maskSecret(data, 'agent-secret')).toBe(data)
    expect(maskSecret(data, undefined)).toBe(data)
    expect(maskSecret(data, 'well')).toBe(data)
  })
})
