import { Parser } from 'htmlparser2'
import { type Block, type BlockKind, HeadingPath } from './block.js'

/** Elements whose content is not text for a reader. */
const SILENT = new Set(
  'audio button canvas form iframe math nav noscript object script select style svg template textarea video'.split(' '),
)
/** Elements that end the block before them. */
const BLOCKS = new Set(
  `address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6
   header hr html li main ol p pre section summary table tbody tfoot thead title tr ul`.split(/\s+/),
)
const HEADING = /^h[1-6]$/

/**
 * Takes HTML apart into blocks of plain text. Scripts, styles, navigation and hidden elements are left out: what a reader of the
 * page cannot see must not speak in a report. Lines are those of the HTML itself.
 */
export function parseHtml(html: string): Block[] {
  const page = new PageText(html)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, isHidden(attributes)),
      ontext: (text) => page.text(text, parser.startIndex),
      onclosetag: (name) => page.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return page.finish()
}

class PageText {
  readonly #blocks: Block[] = []
  readonly #headings = new HeadingPath()
  readonly #lines: LineCounter
  #silentDepth = 0
  #preDepth = 0
  #inTableHead = false
  #text = ''
  #hasText = false
  #startLine = 1
  #endLine = 1

  constructor(html: string) {
    this.#lines = new LineCounter(html)
  }

  open(name: string, hidden: boolean): void {
    // Everything below a silent element is silent; the parser closes what it opened, so counting both is enough.
    if (this.#silentDepth > 0 || hidden || SILENT.has(name)) {
      this.#silentDepth += 1
      return
    }
    if (BLOCKS.has(name)) this.#flush()
    if (name === 'pre') this.#preDepth += 1
    // A head may be left open, and the body ends it.
    if (name === 'thead' || name === 'tbody') this.#inTableHead = name === 'thead'
    if ((name === 'td' || name === 'th') && this.#hasText) this.#text += ' | '
  }

  text(text: string, index: number): void {
    if (this.#silentDepth > 0) return
    if (text.trim() !== '') {
      const first = this.#lines.lineAt(index + text.search(/\S/))
      if (!this.#hasText) this.#startLine = first
      this.#hasText = true
      this.#endLine = first + (text.trim().match(/\n/g)?.length ?? 0)
    }
    this.#text += text
  }

  close(name: string): void {
    if (this.#silentDepth > 0) {
      this.#silentDepth -= 1
      return
    }
    if (HEADING.test(name)) this.#headings.enter(Number(name.slice(1)), this.#take())
    else if (name === 'title') this.#headings.enter(0, this.#take())
    else if (BLOCKS.has(name)) this.#flush()
    if (name === 'pre') this.#preDepth -= 1
    if (name === 'thead') this.#inTableHead = false
  }

  finish(): Block[] {
    this.#flush()
    return this.#blocks
  }

  #flush(): void {
    const kind: BlockKind = this.#preDepth > 0 ? 'code' : this.#inTableHead ? 'label' : 'prose'
    const text = this.#take()
    if (text === '') return
    const place = { startLine: this.#startLine, endLine: this.#endLine, headings: this.#headings.titles }
    this.#blocks.push({ kind, text, ...place })
  }

  #take(): string {
    const text = this.#preDepth > 0 ? this.#text.replaceAll('\r', '') : this.#text.replaceAll(/[^\S\n]+/g, ' ')
    this.#text = ''
    this.#hasText = false
    return text.trim()
  }
}

/** Line of an offset; the parser only moves forward, so each character is looked at once. */
class LineCounter {
  readonly #text: string
  #offset = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  lineAt(offset: number): number {
    let next = this.#text.indexOf('\n', this.#offset)
    while (next !== -1 && next < offset) {
      this.#line += 1
      this.#offset = next + 1
      next = this.#text.indexOf('\n', this.#offset)
    }
    return this.#line
  }
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  const style = attributes.style?.replaceAll(/\s/g, '').toLowerCase() ?? ''
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    style.includes('display:none') ||
    style.includes('visibility:hidden')
  )
}
