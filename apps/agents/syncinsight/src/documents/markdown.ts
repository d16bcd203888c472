import MarkdownIt, { type Token } from 'markdown-it'
import { type Block, type BlockKind, HeadingPath } from './block.js'
import { parseHtml } from './html.js'

/** The block grammar is linear; the inline grammar is not on hostile input, so a longer block is taken as it stands. */
const MAX_INLINE_LENGTH = 16_384
const FRONT_MATTER = /^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/

const grammar = new MarkdownIt('default', { html: true })
// Inline content is parsed block by block below, so that a reader can pause between two blocks.
grammar.core.ruler.enableOnly(['normalize', 'block'])

/** Takes Markdown (CommonMark with tables) apart into blocks of plain text. */
export function* parseMarkdown(text: string): Generator<Block> {
  const references: Record<string, unknown> = {}
  const headings = new HeadingPath()
  const table = new TableRow()
  let headingLevel = 0
  for (const token of grammar.parse(blankFrontMatter(text), references)) {
    const place = { ...linesOf(token), headings: headings.titles }
    switch (token.type) {
      case 'heading_open':
        headingLevel = Number(token.tag.slice(1))
        break
      case 'heading_close':
        headingLevel = 0
        break
      case 'inline': {
        const plain = plainTextOf(token.content, references)
        if (headingLevel > 0) headings.enter(headingLevel, plain.replaceAll(/\s+/g, ' ').trim())
        else if (!table.take(plain)) yield { ...place, kind: 'prose', text: plain }
        break
      }
      case 'fence':
        yield { ...place, startLine: Math.min(place.startLine + 1, place.endLine), kind: 'code', text: token.content }
        break
      case 'code_block':
        yield { ...place, kind: 'code', text: token.content }
        break
      case 'html_block':
        yield* htmlBlocks(token.content, place)
        break
      default:
        yield* table.follow(token, place)
    }
  }
}

type Place = Pick<Block, 'startLine' | 'endLine' | 'headings'>

/** Gathers the cells of a table's row into one block, since a cell alone says nothing. */
class TableRow {
  #kind: BlockKind = 'prose'
  #row: { readonly place: Place; readonly cells: string[] } | undefined

  /** Takes a cell's text; false outside of tables. */
  take(text: string): boolean {
    this.#row?.cells.push(text)
    return this.#row !== undefined
  }

  *follow(token: Token, place: Place): Generator<Block> {
    if (token.type === 'thead_open') this.#kind = 'label'
    else if (token.type === 'thead_close') this.#kind = 'prose'
    else if (token.type === 'tr_open') this.#row = { place, cells: [] }
    else if (token.type === 'tr_close' && this.#row !== undefined) {
      yield { ...this.#row.place, kind: this.#kind, text: this.#row.cells.filter((cell) => cell !== '').join(' | ') }
      this.#row = undefined
    }
  }
}

function linesOf(token: Token): { startLine: number; endLine: number } {
  const [start, end] = token.map ?? [0, 1]
  return { startLine: start + 1, endLine: Math.max(start + 1, end) }
}

function plainTextOf(content: string, references: Record<string, unknown>): string {
  if (content.length > MAX_INLINE_LENGTH) return content
  const tokens: Token[] = []
  grammar.inline.parse(content, grammar, references, tokens)
  return textOfTokens(tokens)
}

function textOfTokens(tokens: readonly Token[]): string {
  return tokens.map(textOfToken).join('')
}

function textOfToken(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
  if (token.type === 'image') return textOfTokens(token.children ?? [])
  // Tags inside a paragraph are markup, not words of it.
  return token.type === 'html_inline' ? '' : token.content
}

function* htmlBlocks(html: string, place: Place): Generator<Block> {
  for (const block of parseHtml(html)) {
    yield {
      ...block,
      startLine: place.startLine + block.startLine - 1,
      endLine: place.startLine + block.endLine - 1,
      headings: [...place.headings, ...block.headings],
    }
  }
}

/** YAML before the first heading is about the page, not of it; its lines stay, so that line numbers hold. */
function blankFrontMatter(text: string): string {
  return text.replace(FRONT_MATTER, (matter) => matter.replaceAll(/[^\n]/g, ''))
}
