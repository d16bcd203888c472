import { type ReactNode, useCallback } from 'react'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import type { Selection } from './selection.js'
import type { TraceList, TraceListView } from './trace-list.js'
import type { TraceWish } from './trace-query.js'
import { TraceRows, useRowPx } from './trace-rows.js'
import styles from './traces.module.css'

interface TraceListBodyProps {
  readonly list: TraceList
  readonly view: TraceListView
  readonly selection: Selection
  /** Stands there when the list is empty. */
  readonly empty: ReactNode
  onNarrow(wish: TraceWish): void
}

/** The rows of a list of traces, or why there are none: on their way, failed, or empty. */
export function TraceListBody({ list, view, selection, empty, onNarrow }: TraceListBodyProps) {
  const { traces, goesOn, isFirst, failure } = view
  const rowPx = useRowPx()
  const loadMore = useCallback(() => void list.loadMore(), [list])
  return (
    <>
      {failure !== null && (
        <div className={styles.failure}>
          <FailureNote failure={failure} onRetry={loadMore} />
        </div>
      )}
      {isFirst && failure === null && <Waiting lines={8} />}
      {!isFirst && failure === null && traces.length === 0 && !goesOn && empty}
      {(traces.length > 0 || (goesOn && !isFirst && failure === null)) && (
        <TraceRows
          key={rowPx}
          rowPx={rowPx}
          traces={traces}
          goesOn={goesOn}
          selection={selection}
          onEnd={loadMore}
          onNarrow={onNarrow}
        />
      )}
    </>
  )
}
