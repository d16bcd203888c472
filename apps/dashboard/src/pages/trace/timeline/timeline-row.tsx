import { isOpenState, shownStateOf } from '@synchub/protocol'
import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ButtonHTMLAttributes, KeyboardEvent } from 'react'
import { StateMark } from '../../../controls/state-mark.js'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { STATE_LOOKS } from '../../../state/state-look.js'
import type { TreeRow } from '../model/call-tree.js'
import type { ModelCall } from '../model/trace-model.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import { placeOn, type TimeAxis } from './time-axis.js'
import styles from './timeline.module.css'

declare module 'react' {
  interface CSSProperties {
    /** Depth of a call in the tree. */
    '--depth'?: number
    /** Colour of a call's bar. */
    '--bar'?: string
  }
}

interface TimelineRowProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onSelect'> {
  readonly row: TreeRow
  readonly axis: TimeAxis
  readonly nowMs: number
  readonly isSelected: boolean
  readonly isFolded: boolean
  onSelect(): void
  onFold(): void
}

/** One call: its name at its depth, and its bar. Arrow keys fold and unfold what it called. */
export function TimelineRow(props: TimelineRowProps) {
  const { row, axis, nowMs, isSelected, isFolded, onSelect, onFold, onKeyDown, ...rest } = props
  const texts = useTexts(TRACE_TEXTS)
  const { call, depth, below } = row
  const foldByKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    const wouldFold = { ArrowLeft: true, ArrowRight: false }[event.key]
    if (below > 0 && wouldFold === !isFolded) onFold()
    else onKeyDown?.(event)
  }
  return (
    <div className={styles.row} data-selected={isSelected} style={{ '--depth': depth }}>
      <span className={styles.name}>
        {below > 0 ? (
          <button
            type="button"
            className={styles.fold}
            tabIndex={rest.tabIndex}
            aria-expanded={!isFolded}
            aria-label={isFolded ? texts.unfold(call.tool) : texts.fold(call.tool)}
            onClick={onFold}
          >
            {isFolded ? <ChevronRight size={13} aria-hidden /> : <ChevronDown size={13} aria-hidden />}
          </button>
        ) : (
          <span className={styles.fold} />
        )}
        <button
          {...rest}
          type="button"
          className={styles.call}
          aria-pressed={isSelected}
          onClick={onSelect}
          onKeyDown={foldByKey}
        >
          <StateMark state={shownStateOf(call)} isBare />
          <span className={styles.tool}>{call.tool}</span>
          <span className={styles.agent}>{call.agent}</span>
        </button>
      </span>
      <Bar call={call} axis={axis} nowMs={nowMs} />
    </div>
  )
}

function Bar({ call, axis, nowMs }: { readonly call: ModelCall; readonly axis: TimeAxis; readonly nowMs: number }) {
  const texts = useTexts(TRACE_TEXTS)
  const format = useFormat()
  const isOpen = isOpenState(call.state)
  const endMs = call.endedMs ?? Math.max(nowMs, call.createdMs)
  const firstMs = call.attempts[0]?.startedMs ?? endMs
  const box = (fromMs: number, toMs: number) => {
    const left = placeOn(axis, fromMs)
    return { left: `${left}%`, width: `${Math.max(placeOn(axis, toMs) - left, 0)}%` }
  }
  const { color } = STATE_LOOKS[shownStateOf(call)]
  const fraction = call.progress === undefined || !call.total ? undefined : Math.min(call.progress / call.total, 1)
  const endsAt = placeOn(axis, endMs)
  const length = format.duration(endMs - call.createdMs)
  const label = labelPlace(placeOn(axis, call.createdMs), endsAt)
  return (
    <span className={styles.track} style={{ '--bar': color }}>
      <span className={styles.whole} style={box(call.createdMs, endMs)} />
      {firstMs > call.createdMs && (
        <span className={styles.queue} style={box(call.createdMs, firstMs)} title={texts.queued} />
      )}
      {call.attempts.map((attempt) => {
        const until = attempt.endedMs ?? endMs
        const isLast = attempt === call.attempts.at(-1)
        const reason = attempt.reason === undefined ? '' : `, ${texts.gaveUp(attempt.reason)}`
        return (
          <span
            key={attempt.number}
            className={attempt.reason === undefined ? styles.run : styles.lostRun}
            style={box(attempt.startedMs, until)}
            title={`${texts.attempt(format.number(attempt.number))}: ${format.duration(until - attempt.startedMs)}${reason}`}
          >
            {isLast && isOpen && (
              <span
                className={styles.fill}
                role="progressbar"
                aria-label={texts.progressOf(call.tool)}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={fraction === undefined ? undefined : Math.round(fraction * 100)}
                style={{ transform: `scaleX(${fraction ?? 0})` }}
              />
            )}
          </span>
        )
      })}
      {call.attempts.length === 0 && !isOpen && <span className={styles.point} style={{ left: `${endsAt}%` }} />}
      <span className={styles[label.at]} style={{ left: `${label.left}%` }}>
        {isOpen && fraction !== undefined ? `${format.percent(fraction)} · ${length}` : length}
      </span>
    </span>
  )
}

/** Room that the length of a call needs beside its bar, in percent of the axis. */
const LABEL_ROOM = 18

/** Behind the bar where there is room, else before it, else within it. */
function labelPlace(beginsAt: number, endsAt: number) {
  if (endsAt <= 100 - LABEL_ROOM) return { at: 'length', left: endsAt } as const
  return beginsAt >= LABEL_ROOM
    ? ({ at: 'lengthBefore', left: beginsAt } as const)
    : ({ at: 'lengthInside', left: endsAt } as const)
}
