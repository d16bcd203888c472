import { ERROR_TEXTS } from '../../hub/error-texts.js'
import { useTexts } from '../../language/texts.js'
import type { TraceCause } from './model/trace-cause.js'
import styles from './trace.module.css'
import { TRACE_TEXTS } from './trace-texts.js'

interface TraceReasonProps {
  readonly cause: TraceCause
  onSelect(callId: string): void
}

/** Why a trace ended badly, said at once; the call itself is one click away. */
export function TraceReason({ cause: { call, failure }, onSelect }: TraceReasonProps) {
  const errors = useTexts(ERROR_TEXTS)
  const { toolFailed } = useTexts(TRACE_TEXTS)
  const words = failure === undefined ? call.toolReason : failure.reason
  return (
    <button type="button" className={styles.reason} onClick={() => onSelect(call.callId)}>
      <strong>{call.tool}</strong>
      <span>{failure === undefined ? toolFailed : errors[failure.code].title}</span>
      {words !== undefined && <span className={styles.reasonWords}>{words}</span>}
    </button>
  )
}
