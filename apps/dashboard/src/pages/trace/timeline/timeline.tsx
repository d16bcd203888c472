import { useMemo, useState } from 'react'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { useIsNarrow } from '../../../screen/use-is-narrow.js'
import { toRows } from '../model/call-tree.js'
import type { TraceModel } from '../model/trace-model.js'
import { useRowWalk } from '../row-walk.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import { marksOf, placeOn, type TimeAxis } from './time-axis.js'
import styles from './timeline.module.css'
import { TimelineRow } from './timeline-row.js'

interface TimelineProps {
  readonly model: TraceModel
  /** Tells that the model has grown. */
  readonly version: number
  readonly axis: TimeAxis
  /** The instant up to which it is shown. */
  readonly nowMs: number
  /** Whether that instant is marked. */
  readonly isReplay: boolean
  readonly selected: string | undefined
  onSelect(callId: string): void
}

const ROW_PX = 34
const MARKS = 7
const NARROW_MARKS = 3

/** The calls of a trace as a tree, each with its bar on the time axis. */
export function Timeline({ model, version, axis, nowMs, isReplay, selected, onSelect }: TimelineProps) {
  const texts = useTexts(TRACE_TEXTS)
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => (version < 0 ? [] : toRows(model, folded)), [model, version, folded])
  const { scroller, virtual, rowProps } = useRowWalk({
    count: rows.length,
    rowPx: ROW_PX,
    overscan: 10,
    chosenAt: rows.findIndex(({ call }) => call.callId === selected),
    entryAt: 0,
  })
  const toggle = (callId: string) => {
    const next = new Set(folded)
    if (!next.delete(callId)) next.add(callId)
    setFolded(next)
  }
  const marks = marksOf(axis, isNarrow ? NARROW_MARKS : MARKS)
  return (
    <section className={styles.timeline} aria-label={texts.timeline}>
      <div className={styles.axis} aria-hidden>
        <span className={styles.axisName}>
          {rows.length === 1 ? texts.oneCall : texts.calls(format.number(model.calls.size))}
        </span>
        <span className={styles.marks}>
          {marks.map((ms) => (
            <span key={ms} className={styles.mark} style={{ left: `${placeOn(axis, axis.beginMs + ms)}%` }}>
              {ms === 0 ? '0' : format.duration(ms)}
            </span>
          ))}
        </span>
      </div>
      <div ref={scroller} className={styles.scroller}>
        <ul className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          <li className={styles.grid} aria-hidden>
            {marks.slice(1).map((ms) => (
              <span key={ms} className={styles.gridLine} style={{ left: `${placeOn(axis, axis.beginMs + ms)}%` }} />
            ))}
            {isReplay && <span className={styles.now} style={{ left: `${placeOn(axis, nowMs)}%` }} />}
          </li>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const { callId } = row.call
            return (
              <li key={callId} className={styles.item} style={{ transform: `translateY(${start}px)` }}>
                <TimelineRow
                  {...rowProps(index)}
                  row={row}
                  axis={axis}
                  nowMs={nowMs}
                  isSelected={callId === selected}
                  isFolded={folded.has(callId)}
                  onSelect={() => onSelect(callId)}
                  onFold={() => toggle(callId)}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
