import { ERROR_TEXTS } from '../../hub/error-texts.js'
import { useTexts } from '../../language/texts.js'
import type { TraceCause } from './model/trace-cause.js'
import styles from './trace.module.css'

interface TraceReasonProps {
  readonly cause: TraceCause
  onSelect(callId: string): void
}

/** Why a trace ended badly, said at once; the call itself is one click away. */
export function TraceReason({ cause: { call, failure }, onSelect }: TraceReasonProps) {
  const { title } = useTexts(ERROR_TEXTS)[failure.code]
  return (
    <button type="button" className={styles.reason} onClick={() => onSelect(call.callId)}>
      <strong>{call.tool}</strong>
      <span>{title}</span>
      <span className={styles.reasonWords}>{failure.reason}</span>
    </button>
  )
}
