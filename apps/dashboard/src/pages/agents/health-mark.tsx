import { useTexts } from '../../language/texts.js'
import styles from './agents.module.css'
import { AGENTS_TEXTS } from './agents-texts.js'

/** Whether an agent can be reached, in a word and a colour. */
export function HealthMark({ isAvailable }: { readonly isAvailable: boolean }) {
  const texts = useTexts(AGENTS_TEXTS)
  return (
    <span className={styles.health} data-available={isAvailable}>
      <span className={styles.dot} aria-hidden />
      {isAvailable ? texts.available : texts.away}
    </span>
  )
}
