import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseHtml } from '../../src/documents/html.js'
import { cpuTimeOf } from '../cpu-time.js'

describe('parseHtml', () => {
  test('gives the text of blocks with their lines and headings', () => {
    const html = `<!doctype html>
<title>Site</title>
<h1>Guide</h1>
<p>A lease
lasts <b>10&nbsp;s</b>.</p>
<h2>More</h2><ul><li>one<li>two</ul>`
    expect(parseHtml(html)).toEqual([
      { kind: 'prose', text: 'A lease\nlasts 10 s.', startLine: 4, endLine: 5, headings: ['Site', 'Guide'] },
      { kind: 'prose', text: 'one', startLine: 6, endLine: 6, headings: ['Site', 'Guide', 'More'] },
      { kind: 'prose', text: 'two', startLine: 6, endLine: 6, headings: ['Site', 'Guide', 'More'] },
    ])
  })

  test('leaves out what a reader of the page does not see', () => {
    const html = `<p>seen</p><script>a()</script><style>p{}</style><nav><a>menu</a></nav><noscript>x</noscript>
      <p hidden>h1</p><div style="display: none"><p>h2</p></div><div aria-hidden="true">h3</div><!-- h4 --><p>also seen`
    expect(parseHtml(html).map(({ text }) => text)).toEqual(['seen', 'also seen'])
  })

  test('tells rows, heads and code apart', () => {
    const html = '<table><thead><tr><th>limit<th>value<tbody><tr><td>body<td>4 MiB</table><pre>a\n  b</pre>'
    expect(parseHtml(html)).toMatchObject([
      { kind: 'label', text: 'limit | value' },
      { kind: 'prose', text: 'body | 4 MiB' },
      { kind: 'code', text: 'a\n  b', startLine: 1, endLine: 2 },
    ])
  })

  test('decodes entities once, so that escaped markup stays text', () => {
    expect(parseHtml('<p>&lt;script&gt; &amp;amp;</p>')).toMatchObject([{ text: '<script> &amp;' }])
  })

  test('survives deep nesting without using up the stack', () => {
    expect(parseHtml(`${'<div>'.repeat(50_000)}deep`)).toMatchObject([{ text: 'deep' }])
  })

  test.each(['<b>x</b>', '<td>', '<p>', '&amp;', '<!--', '<a', '<script>', '</p>'])(
    'ends quickly on very much of %s',
    (piece) => {
      expect(cpuTimeOf(() => parseHtml(piece.repeat(80_000)))).toBeLessThan(4_000)
    },
    60_000,
  )

  test('keeps lines within the document, whatever the markup', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<pre>',
      '</pre>',
      '<b>',
      '<script>',
      '</script>',
      'text',
      '\n',
      ' ',
      '<td>',
      '&amp;',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = pieces.join('')
        const lineCount = html.split('\n').length
        for (const { startLine, endLine } of parseHtml(html)) {
          expect(startLine).toBeGreaterThanOrEqual(1)
          expect(endLine).toBeGreaterThanOrEqual(startLine)
          expect(endLine).toBeLessThanOrEqual(lineCount)
        }
      }),
    )
  })
})
