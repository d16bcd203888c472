import type { TraceSummary } from '@synchub/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../../language/texts.js'
import { useNow } from '../../live/use-live.js'
import { useIsNarrow } from '../../screen/use-is-narrow.js'
import type { Selection } from './selection.js'
import { keyOf } from './trace-order.js'
import type { TraceWish } from './trace-query.js'
import { TraceRow } from './trace-row.js'
import styles from './trace-rows.module.css'
import { TRACES_TEXTS } from './traces-texts.js'

interface TraceRowsProps {
  readonly traces: readonly TraceSummary[]
  /** Height of a row; another one needs another list. */
  readonly rowPx: number
  readonly goesOn: boolean
  readonly selection: Selection
  onEnd(): void
  onNarrow(wish: TraceWish): void
}

const ROW_PX = 40
const NARROW_ROW_PX = 64
/** Rows out of sight that are drawn above and below, against a gap while one scrolls. */
const OVERSCAN = 4
/** Rows before the end at which the next page is asked for. */
const AHEAD = 30

/** Height of a row on this screen. */
export function useRowPx(): number {
  return useIsNarrow() ? NARROW_ROW_PX : ROW_PX
}

/** The rows in sight of a list that may hold ten thousand. */
export function TraceRows({ traces, rowPx, goesOn, selection, onEnd, onNarrow }: TraceRowsProps) {
  const { name, more } = useTexts(TRACES_TEXTS)
  const nowMs = useNow(1000)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: traces.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
  })
  useKeptPlace(scroller, traces, rowPx)
  const items = rows.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (goesOn && lastIndex >= traces.length - AHEAD) onEnd()
  }, [goesOn, lastIndex, traces.length, onEnd])

  const newest = useRef({ traces, selection, rows })
  useLayoutEffect(() => {
    newest.current = { traces, selection, rows }
  })
  const onKey = useCallback((event: KeyboardEvent, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { traces: shown, selection: selected } = newest.current
    const focusRow = (at: number) => {
      newest.current.rows.scrollToIndex(at)
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus())
    }
    const trace = shown[index]
    if (event.key === 'ArrowDown' || event.key === 'j') focusRow(Math.min(index + 1, shown.length - 1))
    else if (event.key === 'ArrowUp' || event.key === 'k') focusRow(Math.max(index - 1, 0))
    else if (event.key === 'x' && trace !== undefined) selected.set(index, !selected.has(trace), event.shiftKey)
    else return
    event.preventDefault()
  }, [])

  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.list} aria-label={name} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const trace = traces[index]
          if (trace === undefined) return null
          return (
            <li
              key={keyOf(trace)}
              className={styles.item}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              <TraceRow
                trace={trace}
                index={index}
                nowMs={nowMs}
                isSelected={selection.has(trace)}
                onSelect={selection.set}
                onNarrow={onNarrow}
                onKey={onKey}
              />
            </li>
          )
        })}
      </ul>
      {goesOn && <p className={styles.more}>{more}</p>}
    </div>
  )
}

/** What a person reads stays where it is when newer traces come in above it. */
function useKeptPlace(
  scroller: { readonly current: HTMLDivElement | null },
  traces: readonly TraceSummary[],
  rowPx: number,
): void {
  const before = useRef(traces)
  useLayoutEffect(() => {
    const { current } = scroller
    const first = before.current[Math.floor((current?.scrollTop ?? 0) / rowPx)]
    const wasAt = first === undefined ? -1 : before.current.indexOf(first)
    before.current = traces
    if (current === null || current.scrollTop < rowPx || first === undefined) return
    const isAt = traces.findIndex((trace) => trace.traceId === first.traceId && trace.owner === first.owner)
    if (isAt > wasAt) current.scrollTop += (isAt - wasAt) * rowPx
  }, [scroller, traces, rowPx])
}
