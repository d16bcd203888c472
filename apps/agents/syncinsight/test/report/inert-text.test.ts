import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { inertLine, inertQuote, inertText, plainLine } from '../../src/report/inert-text.js'

const reader = new MarkdownIt('default', { html: true })
const HARMLESS = new Set(['paragraph_open', 'paragraph_close', 'blockquote_open', 'blockquote_close', 'inline', 'text'])
const BREAKS = new Set(['softbreak', 'hardbreak', 'text_special'])

/** What a Markdown reader makes of a text beside plain words. */
function markupIn(markdown: string): string[] {
  const flatten = (tokens: readonly Token[]): Token[] =>
    tokens.flatMap((token) => [token, ...flatten(token.children ?? [])])
  return flatten(reader.parse(markdown, {}))
    .map(({ type }) => type)
    .filter((type) => !HARMLESS.has(type) && !BREAKS.has(type))
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![pixel](https://evil.test/x.png)',
  '[click](javascript:alert(1))',
  '<https://evil.test>',
  '```\nescaped\n```',
  '`code`',
  '# heading',
  'Title\n=====',
  'Title\n-----',
  '- item',
  '1. item',
  '2) item',
  '* * *',
  '> quote',
  '**bold** __bold__ _em_ *em* ~~gone~~',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '|\n:-',
  '[ref]: https://evil.test',
  '&lt;script&gt;',
  '\\<script>',
  '\\\\[a](b)',
]

describe('inertText', () => {
  test.each(HOSTILE)('shows %j and lets no reader interpret it', (text) => {
    expect(markupIn(inertText(text))).toEqual([])
    expect(markupIn(inertQuote(text, 1_000))).toEqual([])
    expect(markupIn(inertLine(text))).toEqual([])
  })

  test('loses no word of the text', () => {
    const rendered = reader.renderInline(inertLine('a <b> & [c](d) `e` *f* g_h 1. "i"'))
    expect(rendered).toBe('a &lt;b&gt; &amp; [c](d) `e` *f* g_h 1. &quot;i&quot;')
  })

  test('removes terminal escapes and characters that hide or turn text', () => {
    const text = 'a\u001B[31mred\u001B]0;title\u0007\u009B2J\u0000\b b\u202Egnp.exe c\u200Bd \u{E0041}e\uFEFF'
    expect(inertText(text)).toBe(String.raw`a\[31mred\]0;title2J bgnp.exe cd e`)
  })

  test('keeps Korean, emoji and their joiners', () => {
    expect(inertText('안녕 👩‍💻')).toBe('안녕 👩‍💻')
  })

  test('leaves nothing to interpret in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'<>&[]()`*_~#-+=|!\\"\'\n\r\t :/.1$'.split(''),
        '<script>',
        '](',
        '![',
        '&#60;',
        '\u001B[',
        '\u2028',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const inert = inertText(text)
        expect(inert).not.toMatch(/[^\P{Cc}\n]|[<>]/u)
        expect(markupIn(inertQuote(text, 10_000))).toEqual([])
        expect(
          markupIn(`- says: “${inertLine(text)}” [1]`).filter((type) => !/^(?:bullet_list|list_item)_/.test(type)),
        ).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('plainLine', () => {
  test('makes one line without control characters for readers that are no Markdown', () => {
    expect(plainLine('a\r\n\tb\u001B[0m <c>')).toBe('a b[0m <c>')
  })
})
