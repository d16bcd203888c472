import { describe, expect, test } from '@jest/globals'
import { parseMarkdown } from '../../src/documents/markdown.js'
import { cpuTimeOf } from '../cpu-time.js'

const blocksOf = (text: string) => [...parseMarkdown(text)]

describe('parseMarkdown', () => {
  test('gives paragraphs as plain text with their lines and headings', () => {
    const text =
      '# Guide\n\n## Leases *now*\n\nA lease lasts `10 s`,\nsee [the page](https://x.test).\n\n# Other\n\nText.\n'
    expect(blocksOf(text)).toEqual([
      {
        kind: 'prose',
        text: 'A lease lasts 10 s,\nsee the page.',
        startLine: 5,
        endLine: 6,
        headings: ['Guide', 'Leases now'],
      },
      { kind: 'prose', text: 'Text.', startLine: 10, endLine: 10, headings: ['Other'] },
    ])
  })

  test('takes list items and quotations one by one', () => {
    expect(blocksOf('- one\n- two\n\n> three\n').map(({ text, startLine }) => [text, startLine])).toEqual([
      ['one', 1],
      ['two', 2],
      ['three', 4],
    ])
  })

  test('keeps the cells of a table row together and its head apart from claims', () => {
    expect(blocksOf('| limit | value |\n|---|---|\n| body | 4 MiB |\n')).toEqual([
      { kind: 'label', text: 'limit | value', startLine: 1, endLine: 1, headings: [] },
      { kind: 'prose', text: 'body | 4 MiB', startLine: 3, endLine: 3, headings: [] },
    ])
  })

  test('tells code from prose', () => {
    expect(blocksOf('```sql\nSELECT 1\n```\n')).toEqual([
      { kind: 'code', text: 'SELECT 1\n', startLine: 2, endLine: 3, headings: [] },
    ])
  })

  test('leaves front matter out and keeps the line numbers', () => {
    expect(blocksOf('---\ntitle: x\n---\n\nText.\n')).toMatchObject([{ text: 'Text.', startLine: 5 }])
  })

  test('reads the words of HTML in Markdown and none of its scripts', () => {
    const blocks = blocksOf(
      '# A\n\n<div>\n<script>alert(1)</script>\n<p>Seen</p>\n</div>\n\nIn <b onclick="x()">line</b>.\n',
    )
    expect(blocks).toMatchObject([
      { text: 'Seen', startLine: 5, headings: ['A'] },
      { text: 'In line.', startLine: 8 },
    ])
  })

  test.each([
    ['brackets', '['.repeat(300_000)],
    ['unclosed emphasis', '*a_ '.repeat(80_000)],
    ['nested quotations', '>'.repeat(300_000)],
    ['lines of brackets', `${'[a'.repeat(50)}\n`.repeat(3_000)],
    ['a wide table', `${'|a'.repeat(50_000)}\n${'|-'.repeat(50_000)}\n`],
  ])(
    'ends quickly on %s',
    (_name, text) => {
      expect(cpuTimeOf(() => blocksOf(text))).toBeLessThan(5_000)
    },
    60_000,
  )
})
