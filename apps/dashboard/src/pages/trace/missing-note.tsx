import { useTexts } from '../../language/texts.js'
import styles from './trace.module.css'
import { TRACE_TEXTS } from './trace-texts.js'

/** What a link names is not there: said, so that nobody takes the rest of the trace for it. */
export function MissingNote({ what }: { readonly what: 'call' | 'event' }) {
  const { missingCall, missingEvent } = useTexts(TRACE_TEXTS)
  return (
    <p className={styles.missing} role="status">
      {what === 'call' ? missingCall : missingEvent}
    </p>
  )
}
