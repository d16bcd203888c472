import { COMMON_TEXTS } from '../language/common-texts.js'
import { useTexts } from '../language/texts.js'
import styles from './controls.module.css'

/** Widths of the lines, in percent. */
const WIDTHS = [88, 65, 42, 79, 56, 83, 60, 47]

/** Something is on its way; its lines come only after a moment, so that quick answers do not flicker. */
export function Waiting({ lines = 4 }: { readonly lines?: number }) {
  const { loading } = useTexts(COMMON_TEXTS)
  return (
    <div className={styles.waiting} role="status">
      <span className="visually-hidden">{loading}</span>
      {WIDTHS.slice(0, lines).map((width) => (
        <span key={width} className={styles.waitingLine} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
