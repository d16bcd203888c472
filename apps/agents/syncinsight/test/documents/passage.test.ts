import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { DocumentFormat } from '../../src/documents/block.js'
import { formatOfPath } from '../../src/documents/document.js'
import { linesOfPassage, passagesOf, textOfPassage } from '../../src/documents/passage.js'

const origin = { source: 'docs', path: 'a.md', identity: '/a.md' }
const read = (text: string, format: DocumentFormat = 'markdown') => [...passagesOf({ origin, format, text })]

describe('passagesOf', () => {
  test('groups short paragraphs under one heading and parts at the next', () => {
    const passages = read('# A\n\none\n\ntwo\n\n# B\n\nthree\n')
    expect(passages.map((passage) => [passage.headings, textOfPassage(passage), linesOfPassage(passage)])).toEqual([
      [['A'], 'one\ntwo', { startLine: 3, endLine: 5 }],
      [['B'], 'three', { startLine: 9, endLine: 9 }],
    ])
  })

  test('keeps code apart from prose', () => {
    expect(read('one\n\n```\ncode\n```\n\ntwo\n').map(textOfPassage)).toEqual(['one', 'code\n', 'two'])
  })

  test('begins a new passage when one is full', () => {
    expect(read(`${'word '.repeat(100)}\n\n`.repeat(6)).length).toBe(3)
  })

  test('begins a new passage after very many tiny blocks', () => {
    expect(read('- a\n'.repeat(100)).map(({ blocks }) => blocks.length)).toEqual([40, 40, 20])
  })

  test('cuts an endless heading, which every passage below carries', () => {
    const passages = read(`# ${'word '.repeat(10_000)}\n\ntext\n`)
    expect(passages[0]?.headings[0]).toHaveLength(200)
  })

  test('cuts a line without an end and loses nothing of it', () => {
    const text = 'x'.repeat(10_001)
    const passages = read(text, 'text')
    expect(passages.map(textOfPassage).join('')).toBe(text)
    for (const passage of passages) expect(textOfPassage(passage).length).toBeLessThanOrEqual(2_001)
  })

  test('keeps every word of a plain text, with lines that hold it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '가', '😀', '.', ' ', '\n'), maxLength: 4_000 })
    fc.assert(
      fc.property(word, (text) => {
        const passages = read(text, 'text')
        const squeeze = (value: string): string => value.replaceAll(/\s/g, '')
        expect(squeeze(passages.map(textOfPassage).join(''))).toBe(squeeze(text))
        const lineCount = text.split('\n').length
        for (const passage of passages) {
          const { startLine, endLine } = linesOfPassage(passage)
          expect(startLine).toBeGreaterThanOrEqual(1)
          expect(endLine).toBeLessThanOrEqual(lineCount)
          expect(endLine).toBeGreaterThanOrEqual(startLine)
          expect(textOfPassage(passage)).not.toMatch(/\p{Cs}/u)
        }
      }),
    )
  })
})

describe('formatOfPath', () => {
  test.each([
    ['README.md', 'markdown'],
    ['a/b.HTML', 'html'],
    ['src/main.ts', 'source-code'],
    ['notes.txt', 'text'],
    ['LICENSE', 'text'],
  ])('reads %s as %s', (path, format) => {
    expect(formatOfPath(path)).toBe(format)
  })
})
