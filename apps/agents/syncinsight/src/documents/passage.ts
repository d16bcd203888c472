import type { Block } from './block.js'
import { blocksOf, type DocumentOrigin, type SourceDocument } from './document.js'

/** A stretch of a document that is found and quoted as one: some paragraphs under the same headings. */
export interface Passage {
  readonly origin: DocumentOrigin
  readonly headings: readonly string[]
  readonly blocks: readonly Block[]
}

/** Length in characters at which a passage is full; long enough for a thought, short enough to quote. */
const FULL_LENGTH = 1_000
/** Most blocks of one passage: blocks of one letter each would fill the memory long before their text fills a passage. */
const MAX_BLOCKS = 40
/** A block longer than this (a minified file, a page without line breaks) is cut. */
const MAX_BLOCK_LENGTH = 2_000

/** Groups a document's blocks into passages. */
export function* passagesOf(document: SourceDocument): Generator<Passage> {
  let blocks: Block[] = []
  let length = 0
  for (const block of cutBlocks(blocksOf(document))) {
    const first = blocks[0]
    if (first !== undefined && (isFull(blocks, length + block.text.length) || !belongTogether(first, block))) {
      yield { origin: document.origin, headings: first.headings, blocks }
      blocks = []
      length = 0
    }
    blocks.push(block)
    length += block.text.length
  }
  const first = blocks[0]
  if (first !== undefined) yield { origin: document.origin, headings: first.headings, blocks }
}

/** The words of a passage. */
export function textOfPassage(passage: Passage): string {
  return passage.blocks.map((block) => block.text).join('\n')
}

/** First and last line of a passage in its document. */
export function linesOfPassage({ blocks }: Passage): { startLine: number; endLine: number } {
  return {
    startLine: Math.min(...blocks.map((block) => block.startLine)),
    endLine: Math.max(...blocks.map((block) => block.endLine)),
  }
}

function isFull(blocks: readonly Block[], lengthWithNext: number): boolean {
  return lengthWithNext > FULL_LENGTH || blocks.length >= MAX_BLOCKS
}

/** Code is a passage of its own: a long example would hide the sentence that answers the question. */
function belongTogether(one: Block, other: Block): boolean {
  const isCodeAlike = (one.kind === 'code') === (other.kind === 'code')
  return isCodeAlike && one.headings.join('\n') === other.headings.join('\n')
}

function* cutBlocks(blocks: Iterable<Block>): Generator<Block> {
  for (const block of blocks) {
    if (block.text.trim() === '') continue
    let rest = block.text
    let line = block.startLine
    while (rest.length > MAX_BLOCK_LENGTH) {
      const piece = rest.slice(0, cutOf(rest))
      const breaks = piece.match(/\n/g)?.length ?? 0
      yield { ...block, text: piece, startLine: line, endLine: Math.min(line + breaks, block.endLine) }
      rest = rest.slice(piece.length)
      line = Math.min(line + breaks, block.endLine)
    }
    if (rest.trim() !== '') yield { ...block, text: rest, startLine: line }
  }
}

/** Cuts at a space where there is one, and never between the halves of a surrogate pair. */
function cutOf(text: string): number {
  const space = text.slice(0, MAX_BLOCK_LENGTH).search(/\s\S*$/)
  if (space > MAX_BLOCK_LENGTH / 2) return space + 1
  return /[\uD800-\uDBFF]/.test(text.charAt(MAX_BLOCK_LENGTH - 1)) ? MAX_BLOCK_LENGTH + 1 : MAX_BLOCK_LENGTH
}
