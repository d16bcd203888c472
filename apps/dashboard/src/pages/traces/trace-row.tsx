import type { TraceSummary } from '@synchub/protocol'
import { type KeyboardEvent, memo } from 'react'
import { Link } from 'wouter'
import { StateMark } from '../../controls/state-mark.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import { TraceProgress } from './trace-progress.js'
import type { TraceWish } from './trace-query.js'
import styles from './trace-rows.module.css'
import { TRACES_TEXTS } from './traces-texts.js'

interface TraceRowProps {
  readonly trace: TraceSummary
  readonly index: number
  readonly nowMs: number
  readonly isSelected: boolean
  onSelect(index: number, isSelected: boolean, isRange: boolean): void
  onNarrow(wish: TraceWish): void
  /** A key on the trace's link: rows are walked through and selected by keys. */
  onKey(event: KeyboardEvent, index: number): void
}

/** Address of a trace's page; the owner is named only where that says more. */
function addressOfTrace({ traceId, owner }: Pick<TraceSummary, 'traceId' | 'owner'>): string {
  return `/traces/${encodeURIComponent(traceId)}?owner=${encodeURIComponent(owner)}`
}

/** One trace of the list. Most rows stay as they are when the list moves or grows, and are not drawn anew then. */
export const TraceRow = memo(function TraceRow(props: TraceRowProps) {
  const { trace, index, nowMs, isSelected, onSelect, onNarrow, onKey } = props
  const texts = useTexts(TRACES_TEXTS)
  const format = useFormat()
  const { traceId, rootTool, rootAgent, caller, state, callCount } = trace
  const createdMs = Date.parse(trace.createdAt)
  const isRunning = state === 'running'
  const durationMs = (isRunning ? nowMs : Date.parse(trace.endedAt ?? trace.updatedAt)) - createdMs
  return (
    <div className={styles.row} data-selected={isSelected}>
      <span className={styles.check}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={texts.select(traceId)}
          onChange={({ target, nativeEvent }) =>
            onSelect(index, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </span>
      <span className={styles.state}>
        <StateMark state={state} />
      </span>
      <Link
        href={addressOfTrace(trace)}
        className={styles.name}
        data-row={index}
        onKeyDown={(event) => onKey(event, index)}
      >
        <span className={styles.tool}>{rootTool}</span>
        <span className={styles.id}>{traceId}</span>
      </Link>
      <button
        type="button"
        className={styles.caller}
        title={texts.onlyCaller(caller)}
        onClick={() => onNarrow({ caller })}
      >
        {caller}
      </button>
      <button
        type="button"
        className={styles.agent}
        title={texts.onlyAgent(rootAgent)}
        disabled={rootAgent === ''}
        onClick={() => onNarrow({ agent: rootAgent })}
      >
        {rootAgent === '' ? '–' : rootAgent}
      </button>
      <span className={styles.far}>
        {isRunning ? <TraceProgress trace={trace} /> : callCount > 1 ? texts.calls(format.number(callCount)) : ''}
      </span>
      <time className={styles.age} dateTime={trace.createdAt} title={format.instant(createdMs)}>
        {format.age(nowMs - createdMs)}
      </time>
      <span className={styles.duration}>{format.duration(durationMs)}</span>
    </div>
  )
})
