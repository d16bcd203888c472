import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { splitWords, termsOf } from '../../src/language/words.js'

describe('splitWords', () => {
  test('makes overlapping bigrams of Hangul, so that particles do not hide a noun', () => {
    expect(splitWords('스키마를 생성')).toEqual([
      { surface: '스키마를', terms: ['스키', '키마', '마를'] },
      { surface: '생성', terms: ['생성'] },
    ])
    expect(termsOf('스키마').every((term) => termsOf('스키마를').includes(term))).toBe(true)
  })

  test('separates Hangul from the Latin word it is glued to', () => {
    expect(splitWords('Redis에서 10초').map(({ surface }) => surface)).toEqual(['Redis', '에서', '10', '초'])
  })

  test('composes decomposed Hangul, as macOS writes it in file names', () => {
    expect(termsOf('스키마'.normalize('NFD'))).toEqual(termsOf('스키마'))
  })

  test('stems English words, so that one form meets another', () => {
    expect(termsOf('Watchers')).toEqual(termsOf('watcher'))
    expect(termsOf('retrying')).toEqual(termsOf('retries'))
  })

  test('finds a camelCase name as a whole and by its parts', () => {
    expect(termsOf('silenceTimeoutMs')).toEqual(expect.arrayContaining(['silenc', 'timeout', 'ms']))
    expect(termsOf('tb_membership_grade')).toEqual(['tb', 'membership', 'grade'])
  })

  test('makes bigrams of Han and kana, which are written without spaces', () => {
    expect(termsOf('検索結果')).toEqual(['検索', '索結', '結果'])
  })

  test('drops what is longer than any word, such as a digest', () => {
    expect(termsOf(`digest ${'ab12'.repeat(20)}`)).toEqual(['digest'])
  })

  test('gives no empty term and no white space in one, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const term of termsOf(text)) expect(term).toMatch(/^\S{1,40}$/u)
      }),
    )
  })
})
