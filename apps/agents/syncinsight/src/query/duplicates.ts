import { createHash } from 'node:crypto'
import { type Passage, textOfPassage } from '../documents/passage.js'

/** A digest that two passages share when a reader would call their text the same: case, spacing and Unicode form aside. */
export function digestOfText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return createHash('sha256').update(plain).digest('base64')
}

/**
 * Groups things by the text of their passage, in the order of first appearance: one text that lies in several places is one
 * finding, not several.
 */
export function groupByText<T extends { readonly passage: Passage }>(items: readonly T[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const digest = digestOfText(textOfPassage(item.passage))
    const group = groups.get(digest)
    if (group === undefined) groups.set(digest, [item])
    else group.push(item)
  }
  return [...groups.values()]
}
