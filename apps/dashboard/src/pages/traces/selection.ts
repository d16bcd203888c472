import type { TraceSummary } from '@synchub/protocol'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { keyOf } from './trace-order.js'

/** Which of the traces in a list are selected. */
export interface Selection {
  readonly traces: readonly TraceSummary[]
  has(trace: TraceSummary): boolean
  /** Selects one, or with a range all from the one before up to it. Stays the same function, so that rows need not be drawn anew. */
  set(index: number, isSelected: boolean, isRange: boolean): void
  setAll(traces: readonly TraceSummary[]): void
  clear(): void
}

/** Keeps a selection; what leaves the list leaves it too. */
export function useSelection(list: readonly TraceSummary[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef(0)
  const newest = useRef(list)
  useLayoutEffect(() => {
    newest.current = list
  }, [list])
  const traces = useMemo(() => (keys.size === 0 ? [] : list.filter((trace) => keys.has(keyOf(trace)))), [list, keys])
  const set = useCallback((index: number, isSelected: boolean, isRange: boolean) => {
    const from = isRange ? Math.min(anchor.current, index) : index
    const to = isRange ? Math.max(anchor.current, index) : index
    anchor.current = index
    setKeys((before) => {
      const next = new Set(before)
      for (const trace of newest.current.slice(from, to + 1)) {
        if (isSelected) next.add(keyOf(trace))
        else next.delete(keyOf(trace))
      }
      return next
    })
  }, [])
  return {
    traces,
    has: (trace) => keys.has(keyOf(trace)),
    set,
    setAll: (all) => setKeys(new Set(all.map(keyOf))),
    clear: () => setKeys(new Set()),
  }
}
