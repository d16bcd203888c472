import type { TraceEventItem } from '@synchub/client'
import type { EventName } from '@synchub/protocol'
import type { ButtonHTMLAttributes } from 'react'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import styles from './event-log.module.css'
import { summarizeEvent } from './event-summary.js'

interface EventRowProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly item: TraceEventItem
  readonly beginMs: number
}

/** One event in a line. */
export function EventRow({ item, beginMs, ...rest }: EventRowProps) {
  const texts = useTexts(TRACE_TEXTS)
  const format = useFormat()
  const { event, data } = item
  return (
    <button {...rest} type="button" className={styles.row}>
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
