import type { TraceEventItem } from '@synchub/client'
import type { EventName } from '@synchub/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import styles from './event-log.module.css'
import { summarizeEvent } from './event-summary.js'

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
  onSelect(event: TraceEventItem): void
}

const ROW_PX = 27

/** Every event of a trace; fifty thousand scroll like ten. */
export function EventLog({ events, version, lastSeq, beginMs, callId, seq, isOpen, onSelect }: EventLogProps) {
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
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  const wantedAt =
    seq === undefined
      ? -1
      : shown === undefined
        ? seq - (events[0]?.data.seq ?? 1)
        : shown.findIndex(({ data }) => data.seq === seq)
  const isThere = wantedAt >= 0 && wantedAt < rows.length
  const scrolledTo = useRef(-1)
  useEffect(() => {
    if (!isThere || scrolledTo.current === wantedAt) return
    scrolledTo.current = wantedAt
    virtual.scrollToIndex(wantedAt, { align: 'auto' })
  }, [isThere, wantedAt, virtual])
  useEffect(() => {
    if (follows && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [follows, rows.length, virtual])
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    if (step === undefined) return
    const next = rows[Math.min(Math.max(wantedAt + step, 0), rows.length - 1)]
    event.preventDefault()
    if (next !== undefined) onSelect(next)
  }
  return (
    <section className={styles.log} aria-label={texts.log}>
      <div className={styles.bar}>
        <h2>{texts.log}</h2>
        <span className={styles.count}>
          {count < lastSeq - (events[0]?.data.seq ?? 1) + 1
            ? texts.loadingLog(format.number(count), format.number(lastSeq))
            : texts.eventCount(format.number(rows.length))}
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
      <div ref={scroller} className={styles.scroller} onWheel={() => setFollows(false)}>
        <ol className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = rows[index]
            if (item === undefined) return null
            const { event, data } = item
            return (
              <li key={data.seq} className={styles.item} style={{ transform: `translateY(${start}px)` }}>
                <button
                  type="button"
                  className={styles.row}
                  aria-pressed={data.seq === seq}
                  onClick={() => onSelect(item)}
                  onKeyDown={move}
                >
                  <span className={styles.seq}>{data.seq}</span>
                  <time className={styles.time} dateTime={data.at} title={format.timeOfDay(Date.parse(data.at))}>
                    +{format.duration(Date.parse(data.at) - beginMs)}
                  </time>
                  <span className={styles.name} style={{ color: colorOf(item) }}>
                    {texts.events[event]}
                  </span>
                  <span className={styles.tool}>{data.tool}</span>
                  <span className={styles.words}>{summarizeEvent(item, format, texts.toolFailed)}</span>
                </button>
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

/** A tool that says it failed has completed, but its event does not look like a success. */
function colorOf({ event, data }: TraceEventItem): string {
  return EVENT_COLORS[event === 'complete' && data.isError ? 'failed' : event]
}

const EVENT_COLORS: Readonly<Record<EventName, string>> = {
  received: 'var(--text-muted)',
  accepted: 'var(--text-muted)',
  started: 'var(--state-running)',
  progress: 'var(--state-running)',
  retrying: 'var(--state-refused)',
  handed_back: 'var(--state-refused)',
  input_requested: 'var(--state-refused)',
  input_received: 'var(--text-muted)',
  complete: 'var(--state-completed)',
  failed: 'var(--state-failed)',
  refused: 'var(--state-refused)',
  cancelled: 'var(--state-cancelled)',
  unknown: 'var(--state-unknown)',
  resolved: 'var(--state-completed)',
}
