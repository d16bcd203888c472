import { describe, expect, test } from '@jest/globals'
import { measureTokenUsage } from '../../src/usage/token-count.js'

describe('measureTokenUsage', () => {
  test('counts the arguments as JSON and the answer as text, and adds them up', () => {
    // `{"a":1}` is five tokens of o200k_base ({", a, ":, 1, }); `hello world` is two, `tokens` one.
    expect(measureTokenUsage({ a: 1 }, ['hello world', 'tokens'])).toEqual({
      promptTokens: 5,
      completionTokens: 3,
      totalTokens: 8,
    })
  })

  test('counts Korean by tokens, not by characters or bytes', () => {
    const { completionTokens } = measureTokenUsage({}, ['스키마 및 도메인 엔티티 생성이 완료되었습니다.'])
    expect(completionTokens).toBeGreaterThan(8)
    expect(completionTokens).toBeLessThan(25)
  })

  test('counts text that spells a control token of a model', () => {
    expect(measureTokenUsage({ a: '<|endoftext|>' }, ['<|endoftext|>']).completionTokens).toBeGreaterThan(1)
  })
})
