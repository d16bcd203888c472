import type { CaseResult } from '../run/case-result.js'

/** Cases as an answer lists them. */
export interface ListedCases {
  readonly cases: readonly CaseResult[]
  /** Whether there were more. */
  readonly truncated: boolean
}

/**
 * As many cases as fit into `maxBytes` of JSON, in their order. Those that failed come first where not all fit: they are what the
 * reader needs.
 */
export function listCases(all: readonly CaseResult[], maxBytes: number): ListedCases {
  const sized = all.map((entry, index) => ({ entry, index, bytes: Buffer.byteLength(JSON.stringify(entry)) + 1 }))
  const kept = new Set<number>()
  let left = maxBytes
  for (const isWanted of [isFailed, (entry: CaseResult) => !isFailed(entry)]) {
    for (const { entry, index, bytes } of sized) {
      if (!isWanted(entry)) continue
      if (bytes > left) break
      left -= bytes
      kept.add(index)
    }
  }
  return { cases: all.filter((_, index) => kept.has(index)), truncated: kept.size < all.length }
}

function isFailed({ outcome }: CaseResult): boolean {
  return outcome === 'failed'
}
