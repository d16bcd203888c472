import { describe, expect, test } from '@jest/globals'
import { leastMatches, parseQuestion } from '../../src/query/question.js'

const wordsOf = (text: string) => parseQuestion(text)?.words.map(({ surface }) => surface)

describe('parseQuestion', () => {
  test('keeps the words that carry a subject, each once', () => {
    expect(wordsOf('How long does a lease last, and who holds the lease?')).toEqual(['lease', 'last', 'holds'])
    expect(wordsOf('이벤트 로그는 어떻게 보관하나요?')).toEqual(['이벤트', '로그는', '보관하나요'])
  })

  test('takes words that carry nothing when there are no others', () => {
    expect(wordsOf('What is it?')).toEqual(['What', 'is', 'it'])
  })

  test('knows when there is nothing to look for', () => {
    expect(parseQuestion('?!')).toBeUndefined()
    expect(parseQuestion('   ')).toBeUndefined()
  })

  test('bounds the number of words', () => {
    const text = Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' ')
    expect(wordsOf(text)).toHaveLength(32)
  })
})

describe('leastMatches', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [6, 2],
    [7, 3],
    [12, 4],
  ])('of %i words asks for %i', (words, least) => {
    expect(leastMatches(words)).toBe(least)
  })
})
