import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { splitSentences } from '../../src/language/sentences.js'
import { cpuTimeOf } from '../cpu-time.js'

const textsOf = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text)

describe('splitSentences', () => {
  test('splits Korean and English', () => {
    expect(textsOf('이벤트는 사라지지 않는다. 허브가 응답한다! The hub waits 1.5 s. It ends.')).toEqual([
      '이벤트는 사라지지 않는다.',
      '허브가 응답한다!',
      'The hub waits 1.5 s.',
      'It ends.',
    ])
  })

  test('does not end a sentence at an abbreviation', () => {
    expect(textsOf('A store, e.g. Redis, keeps it. 저장소(e.g. 레디스)가 보관한다.')).toEqual([
      'A store, e.g. Redis, keeps it.',
      '저장소(e.g. 레디스)가 보관한다.',
    ])
  })

  test('goes over line breaks within a paragraph', () => {
    expect(textsOf('The lease lasts\n10 seconds. It is\nrenewed.')).toEqual([
      'The lease lasts 10 seconds.',
      'It is renewed.',
    ])
  })

  test('stays quick on a long text without an end', () => {
    expect(cpuTimeOf(() => splitSentences('word '.repeat(40_000)))).toBeLessThan(2_000)
  }, 60_000)

  test('says where each sentence begins and loses nothing but white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 5_000 }), (text) => {
        const flat = text.replaceAll(/\s/g, ' ')
        for (const { text: sentence, start } of splitSentences(text)) {
          expect(flat.slice(start, start + sentence.length)).toBe(sentence)
        }
        const kept = textsOf(text).join('').replaceAll(' ', '')
        expect(kept).toBe(flat.replaceAll(' ', ''))
      }),
    )
  })
})
