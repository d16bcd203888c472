import type { Block } from '../documents/block.js'
import type { DocumentOrigin } from '../documents/document.js'
import type { Passage } from '../documents/passage.js'
import { splitSentences } from '../language/sentences.js'
import { isStopWord } from '../language/stop-words.js'
import { splitWords } from '../language/words.js'
import { type Polarity, readPolarity } from './polarity.js'
import { type Quantity, readQuantities } from './quantity.js'

/** A sentence of a source, with what can be compared of it. */
export interface Statement {
  readonly text: string
  readonly origin: DocumentOrigin
  readonly startLine: number
  readonly endLine: number
  readonly headings: readonly string[]
  /** The terms of its words that carry a subject, quantities and polarity aside. */
  readonly subject: ReadonlySet<string>
  readonly quantities: readonly Quantity[]
  readonly polarity: Polarity
}

/** A longer "sentence" is a list or a log, of which no single thing is said. */
const MAX_LENGTH = 400
/** What says less is a label or a fragment: terms of the subject, quantities and the side that it takes count. */
const MIN_WEIGHT = 3

/** The statements that a passage makes: sentences of its prose, without questions, fragments and what only introduces a list. */
export function statementsOf(passage: Passage): Statement[] {
  return passage.blocks.filter((block) => block.kind === 'prose').flatMap((block) => statementsOfBlock(block, passage))
}

function statementsOfBlock(block: Block, passage: Passage): Statement[] {
  return splitSentences(block.text)
    .filter(({ text }) => text.length <= MAX_LENGTH && !/[?？:：]["')\]]*$/.test(text))
    .map(({ text, start }) => ({ ...read(text), ...linesOf(block, start, text.length), ...placeOf(passage) }))
    .filter(({ subject, quantities, polarity }) => {
      return subject.size + quantities.length + polarity.sides.size + Number(polarity.isNegated) >= MIN_WEIGHT
    })
}

function placeOf({ origin, headings }: Passage): Pick<Statement, 'origin' | 'headings'> {
  return { origin, headings }
}

function read(text: string): Pick<Statement, 'text' | 'subject' | 'quantities' | 'polarity'> {
  const { quantities, rest } = readQuantities(text)
  const polarity = readPolarity(rest)
  const words = splitWords(polarity.rest).filter(({ surface }) => !isStopWord(surface))
  return { text, subject: new Set(words.flatMap(({ terms }) => terms)), quantities, polarity }
}

/** Exact where the block kept its line breaks, else the lines of the block. */
function linesOf(block: Block, start: number, length: number): { startLine: number; endLine: number } {
  const breaks = countBreaks(block.text)
  if (breaks !== block.endLine - block.startLine) return { startLine: block.startLine, endLine: block.endLine }
  const startLine = block.startLine + countBreaks(block.text.slice(0, start))
  return { startLine, endLine: startLine + countBreaks(block.text.slice(start, start + length)) }
}

function countBreaks(text: string): number {
  return text.match(/\n/g)?.length ?? 0
}
