import { useFormat } from '../language/format.js'
import { useTexts } from '../language/texts.js'
import { useLiveState, useNow } from '../live/use-live.js'
import styles from './frame.module.css'
import { FRAME_TEXTS } from './frame-texts.js'

/** How the connection to the hub stands, always in sight. */
export function ConnectionBadge() {
  const texts = useTexts(FRAME_TEXTS)
  const format = useFormat()
  const state = useLiveState()
  const nowMs = useNow(state.kind === 'lost' ? 500 : undefined)
  const waitMs = state.kind === 'lost' ? Math.max(0, state.retryAtMs - nowMs) : 0
  return (
    <p
      className={styles.connection}
      data-state={state.kind}
      role="status"
      title={state.kind === 'lost' ? state.failure.reason : undefined}
    >
      <span className={styles.dot} aria-hidden />
      <span>{texts[state.kind]}</span>
      {waitMs > 1000 && (
        <span className={styles.again}>{texts.again(format.duration(Math.ceil(waitMs / 1000) * 1000))}</span>
      )}
    </p>
  )
}
