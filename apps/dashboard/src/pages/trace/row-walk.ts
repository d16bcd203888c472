import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows of one height, of which those in sight are drawn. */
export interface WalkedRows {
  readonly count: number
  readonly rowPx: number
  /** Rows out of sight that are drawn above and below. */
  readonly overscan: number
  /** The row that is chosen, which is brought into sight; -1 for none. */
  readonly chosenAt: number
  /** The row that Tab comes to before one was chosen. */
  readonly entryAt: number
  /** Keys went on to another row. */
  onWalk?(index: number): void
}

/** How far a key goes; the ends of the list bound it. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Draws a long list that is one tab stop, whose rows are walked by keys. The row where the focus stands stays drawn. */
export function useRowWalk({ count, rowPx, overscan, chosenAt, entryAt, onWalk }: WalkedRows) {
  const scroller = useRef<HTMLDivElement>(null)
  const [stoodAt, setStoodAt] = useState<number>()
  const stopAt = Math.min(stoodAt ?? entryAt, count - 1)
  const rangeExtractor = useCallback((range: Range) => withRow(defaultRangeExtractor(range), stopAt), [stopAt])
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    rangeExtractor,
  })
  useEffect(() => {
    if (chosenAt < 0) return
    setStoodAt(chosenAt)
    virtual.scrollToIndex(chosenAt)
  }, [chosenAt, virtual])

  const isWalking = useRef(false)
  useLayoutEffect(() => {
    if (!isWalking.current) return
    isWalking.current = false
    virtual.scrollToIndex(stopAt)
    scroller.current?.querySelector<HTMLElement>(`[data-row="${stopAt}"]`)?.focus({ preventScroll: true })
  }, [stopAt, virtual])
  const onKey = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(Math.max(index + step, 0), count - 1)
    if (next === index) return
    isWalking.current = true
    setStoodAt(next)
    onWalk?.(next)
  }
  /** What makes an element the row at an index. */
  const rowProps = (index: number) => ({
    'data-row': index,
    tabIndex: index === stopAt ? 0 : -1,
    onFocus: () => setStoodAt(index),
    onKeyDown: (event: KeyboardEvent) => onKey(event, index),
  })
  return { scroller, virtual, rowProps }
}

/** Rows to draw, in order, with one more where it is not among them. */
function withRow(indexes: number[], index: number): number[] {
  const first = indexes[0]
  if (first === undefined || index < 0) return indexes
  if (index < first) return [index, ...indexes]
  return index > (indexes.at(-1) ?? index) ? [...indexes, index] : indexes
}
