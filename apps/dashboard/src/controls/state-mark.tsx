import type { CallState, TraceState } from '@synchub/protocol'
import { COMMON_TEXTS } from '../language/common-texts.js'
import { useTexts } from '../language/texts.js'
import { STATE_LOOKS } from '../state/state-look.js'
import styles from './controls.module.css'

interface StateMarkProps {
  readonly state: CallState | TraceState
  /** The icon alone; its name is still read out. */
  readonly isBare?: boolean
}

/** A state by shape, colour and word: never by colour alone. */
export function StateMark({ state, isBare = false }: StateMarkProps) {
  const { states } = useTexts(COMMON_TEXTS)
  const { icon: Icon, color } = STATE_LOOKS[state]
  const word = states[state]
  const isTurning = state === 'running'
  return (
    <span className={styles.state} style={{ color }} title={isBare ? word : undefined}>
      <Icon size={15} strokeWidth={2.2} className={isTurning ? styles.turning : undefined} aria-hidden />
      <span className={isBare ? 'visually-hidden' : undefined}>{word}</span>
    </span>
  )
}
