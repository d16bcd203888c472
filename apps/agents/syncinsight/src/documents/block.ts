/** What a block is good for: only prose makes claims; code and labels (a table's head) are found and quoted, never compared. */
export type BlockKind = 'prose' | 'code' | 'label'

/** A paragraph, list item, table row or code block of a document, as plain text. */
export interface Block {
  readonly kind: BlockKind
  readonly text: string
  /** Lines of the document as it was read, counted from 1, both inclusive. */
  readonly startLine: number
  readonly endLine: number
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
}

/** How a document's text is taken apart. */
export type DocumentFormat = 'markdown' | 'html' | 'text' | 'source-code'

/** Every passage carries the headings above it, so an endless one would be carried and indexed endlessly often. */
const MAX_HEADING_LENGTH = 200

/** The headings that are open at a place of a document, by level. */
export class HeadingPath {
  #open: { readonly level: number; readonly title: string }[] = []

  /** Enters a section: closes those of the same and of deeper levels. */
  enter(level: number, title: string): void {
    const kept = this.#open.filter((heading) => heading.level < level)
    this.#open = title === '' ? kept : [...kept, { level, title: title.slice(0, MAX_HEADING_LENGTH) }]
  }

  /** Titles, outermost first. */
  get titles(): readonly string[] {
    return this.#open.map((heading) => heading.title)
  }
}
