import type { TraceEventItem } from '@synchub/client'
import { useEffect, useMemo, useRef, useState } from 'react'
import { FailureNote } from '../../../controls/failure-note.js'
import { Waiting } from '../../../controls/waiting.js'
import type { Failure } from '../../../hub/failure.js'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { useRowWalk } from '../row-walk.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import styles from './event-log.module.css'
import { EventRow } from './event-row.js'

interface EventLogProps {
  readonly events: readonly TraceEventItem[]
  /** Tells that the events have grown. */
  readonly version: number
  /** Number of the last event that there is; more than are loaded while the log is read. */
  readonly lastSeq: number
  readonly beginMs: number
  /** The call that is selected, which the log can be narrowed to. */
  readonly callId: string | undefined
  readonly seq: number | undefined
  /** Whether the end should stay in sight as events come. */
  readonly isOpen: boolean
  /** Why there are no more events than these. */
  readonly failure: Failure | null
  onSelect(event: TraceEventItem): void
  onRetry(): void
}

const ROW_PX = 27

/** Every event of a trace; fifty thousand scroll like ten. */
export function EventLog(props: EventLogProps) {
  const { events, version, lastSeq, beginMs, callId, seq, isOpen, failure, onSelect, onRetry } = props
  const texts = useTexts(TRACE_TEXTS)
  const format = useFormat()
  const [isNarrowed, setNarrowed] = useState(false)
  const [follows, setFollows] = useState(isOpen)
  const count = events.length
  const shown = useMemo(() => {
    if (version < 0 || !isNarrowed || callId === undefined) return undefined
    return events.slice(0, count).filter(({ data }) => data.callId === callId)
  }, [events, count, version, isNarrowed, callId])
  const rows = shown ?? events
  const wantedAt =
    seq === undefined
      ? -1
      : shown === undefined
        ? seq - (events[0]?.data.seq ?? 1)
        : shown.findIndex(({ data }) => data.seq === seq)
  const lastAt = rows.length - 1
  const { scroller, virtual, rowProps } = useRowWalk({
    count: rows.length,
    rowPx: ROW_PX,
    overscan: 12,
    chosenAt: wantedAt <= lastAt ? wantedAt : -1,
    entryAt: follows ? lastAt : 0,
    onWalk: (index) => {
      setFollows(false)
      const next = rows[index]
      if (next !== undefined) onSelect(next)
    },
  })
  useEffect(() => {
    if (follows && lastAt >= 0) virtual.scrollToIndex(lastAt, { align: 'end' })
  }, [follows, lastAt, virtual])
  const heading = useRef<HTMLHeadingElement>(null)
  const isWhole = count > lastSeq - (events[0]?.data.seq ?? 1)
  // The button goes with its note, and the keys stay.
  const retry = () => {
    heading.current?.focus()
    onRetry()
  }
  return (
    <section className={styles.log} aria-label={texts.log}>
      <div className={styles.bar}>
        <h2 ref={heading} tabIndex={-1}>
          {texts.log}
        </h2>
        <span className={styles.count}>
          {isWhole
            ? texts.eventCount(format.number(rows.length))
            : (failure === null ? texts.loadingLog : texts.loadedLog)(format.number(count), format.number(lastSeq))}
        </span>
        {callId !== undefined && (
          <label className={styles.toggle}>
            <input type="checkbox" checked={isNarrowed} onChange={({ target }) => setNarrowed(target.checked)} />
            {texts.onlyCall}
          </label>
        )}
        {isOpen && (
          <label className={styles.toggle}>
            <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} />
            {texts.follow}
          </label>
        )}
      </div>
      {count === 0 && !isWhole && failure === null && <Waiting />}
      {failure !== null && (
        <div className={styles.failure}>
          <FailureNote failure={failure} onRetry={retry} />
        </div>
      )}
      <div ref={scroller} className={styles.scroller} onWheel={() => setFollows(false)}>
        <ol className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = rows[index]
            if (item === undefined) return null
            const { seq: ownSeq } = item.data
            return (
              <li key={ownSeq} className={styles.item} style={{ transform: `translateY(${start}px)` }}>
                <EventRow
                  {...rowProps(index)}
                  item={item}
                  beginMs={beginMs}
                  aria-pressed={ownSeq === seq}
                  onClick={() => onSelect(item)}
                />
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}
