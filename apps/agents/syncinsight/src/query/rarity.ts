import type { SourceIndex } from './source-index.js'

/** Weight of a term or word by how seldom it is: the inverse document frequency of BM25, never negative. */
export function rarityOf(holding: number, total: number): number {
  return Math.log(1 + (total - holding + 0.5) / (holding + 0.5))
}

/** Weighs terms by how seldom they are over all sources of a research. */
export function createTermWeight(indexes: readonly SourceIndex[]): (term: string) => number {
  // A term is counted once in a passage's text and once in its heading.
  const total = indexes.reduce((sum, index) => sum + 2 * index.passages.length, 0)
  return (term) => {
    const holding = indexes.reduce((sum, index) => sum + index.frequencyOf(term), 0)
    return rarityOf(Math.min(holding, total), total)
  }
}
