import { Pause, Play } from 'lucide-react'
import { Button } from '../../../controls/button.js'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import type { TimeAxis } from '../timeline/time-axis.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import { PLAY_SPEEDS } from './player.js'
import styles from './replay.module.css'
import type { Replay } from './use-replay.js'

interface ReplayBarProps {
  readonly replay: Replay
  readonly axis: TimeAxis
  readonly eventCount: number
  onLeave(): void
}

/** Plays a trace, or goes to any instant of it. */
export function ReplayBar({ replay, axis, eventCount, onLeave }: ReplayBarProps) {
  const texts = useTexts(TRACE_TEXTS)
  const format = useFormat()
  const { isPlaying, speed, atMs, count } = replay
  const isOver = count >= eventCount
  const toggle = () => {
    if (isOver) replay.seek(axis.beginMs)
    replay.setPlaying(!isPlaying)
  }
  const shownMs = Math.min(Math.max(atMs, axis.beginMs), axis.endMs) - axis.beginMs
  const lengthMs = axis.endMs - axis.beginMs
  return (
    <section className={styles.bar} aria-label={texts.replay}>
      <Button
        kind="primary"
        onClick={toggle}
        aria-label={isPlaying ? texts.pause : texts.play}
        title={isPlaying ? texts.pause : texts.play}
      >
        {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </Button>
      <input
        className={styles.scrubber}
        type="range"
        min={0}
        max={lengthMs}
        step={Math.max(1, Math.round(lengthMs / 1000))}
        value={shownMs}
        aria-label={texts.scrub}
        aria-valuetext={format.duration(shownMs)}
        onChange={({ target }) => replay.seek(axis.beginMs + Number(target.value))}
      />
      <output className={styles.at}>
        {format.duration(shownMs)} / {format.duration(lengthMs)}
      </output>
      <fieldset className={styles.speeds}>
        <legend className="visually-hidden">{texts.speed}</legend>
        {PLAY_SPEEDS.map((each) => (
          <label key={each} className={styles.speed}>
            <input type="radio" name="speed" checked={speed === each} onChange={() => replay.setSpeed(each)} />
            <span>{each === 'max' ? texts.fastest : `${each}×`}</span>
          </label>
        ))}
      </fieldset>
      <Button kind="quiet" onClick={onLeave}>
        {texts.live}
      </Button>
    </section>
  )
}
