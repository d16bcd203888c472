import { describe, expect, test } from '@jest/globals'
import { linesOf, parsePlainText } from '../../src/documents/plain-text.js'

describe('parsePlainText', () => {
  test('takes paragraphs apart at blank lines', () => {
    expect([...parsePlainText('one\ntwo\n \n\nthree')]).toEqual([
      { kind: 'prose', text: 'one\ntwo', startLine: 1, endLine: 2, headings: [] },
      { kind: 'prose', text: 'three', startLine: 5, endLine: 5, headings: [] },
    ])
  })

  test('gives nothing for an empty text', () => {
    expect([...parsePlainText('')]).toEqual([])
    expect([...parsePlainText('\n\n')]).toEqual([])
  })
})

describe('linesOf', () => {
  test('knows both line ends and the last line without one', () => {
    expect([...linesOf('a\r\nb\n\nc')]).toEqual(['a', 'b', '', 'c'])
  })
})
