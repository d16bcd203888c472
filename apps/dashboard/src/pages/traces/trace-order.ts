import type { TraceSummary } from '@synchub/protocol'

/** A trace among those of all owners. */
export function keyOf({ owner, traceId }: Pick<TraceSummary, 'owner' | 'traceId'>): string {
  return `${owner}/${traceId}`
}

/**
 * Puts the next page, newest first, behind a list. News may have brought some of it before; only the end of the list is looked
 * through for those, so that the hundredth page costs no more than the first.
 */
export function appendPage(list: readonly TraceSummary[], page: readonly TraceSummary[]): readonly TraceSummary[] {
  const [first] = page
  if (first === undefined) return list
  const endsAt = list.findLastIndex(({ createdAt }) => createdAt > first.createdAt) + 1
  const known = new Set(list.slice(endsAt).map(keyOf))
  return [...list, ...page.filter((trace) => !known.has(keyOf(trace)))]
}

/**
 * Puts news into a list, newest trace first: those that are in it are replaced, others come in at their place. What is older
 * than the end of a list that goes on is left out: it comes with its page.
 */
export function mergeTraces(
  list: readonly TraceSummary[],
  news: readonly TraceSummary[],
  isWanted: (trace: TraceSummary) => boolean,
  goesOn: boolean,
): readonly TraceSummary[] {
  const byKey = new Map(news.map((trace) => [keyOf(trace), trace]))
  const kept: TraceSummary[] = []
  for (const trace of list) {
    const key = keyOf(trace)
    const next = byKey.get(key)
    byKey.delete(key)
    if (next === undefined) kept.push(trace)
    else if (isWanted(next)) kept.push(next.lastSeq >= trace.lastSeq ? next : trace)
  }
  const last = list.at(-1)
  const added = [...byKey.values()]
    .filter((trace) => isWanted(trace) && !(goesOn && last !== undefined && compare(trace, last) > 0))
    .toSorted(compare)
  if (added.length === 0) return kept
  return mergeSorted(added, kept)
}

/** Negative where `left` is newer. */
function compare(left: TraceSummary, right: TraceSummary): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1
  return keyOf(left) < keyOf(right) ? 1 : -1
}

function mergeSorted(left: readonly TraceSummary[], right: readonly TraceSummary[]): TraceSummary[] {
  const merged: TraceSummary[] = []
  let at = 0
  for (const trace of right) {
    for (let next = left[at]; next !== undefined && compare(next, trace) < 0; next = left[at]) {
      merged.push(next)
      at++
    }
    merged.push(trace)
  }
  return [...merged, ...left.slice(at)]
}
