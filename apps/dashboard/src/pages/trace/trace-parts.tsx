import { TriangleAlert } from 'lucide-react'
import { ERROR_TEXTS } from '../../hub/error-texts.js'
import type { Failure } from '../../hub/failure.js'
import { useTexts } from '../../language/texts.js'
import styles from './trace.module.css'
import { TRACE_TEXTS } from './trace-texts.js'

/** The parts of a trace's page, of which a narrow screen shows one. */
export type TracePart = 'timeline' | 'log'

interface TracePartsProps {
  readonly part: TracePart
  /** Marked, so that it is seen from the other part. */
  readonly logFailure: Failure | null
  onChoose(part: TracePart): void
}

/** Chooses between the parts where there is no room for both. */
export function TraceParts({ part, logFailure, onChoose }: TracePartsProps) {
  const texts = useTexts(TRACE_TEXTS)
  const errors = useTexts(ERROR_TEXTS)
  return (
    <div className={styles.parts} role="tablist">
      {(['timeline', 'log'] as const).map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          className={styles.part}
          aria-selected={part === each}
          onClick={() => onChoose(each)}
        >
          {texts[each]}
          {each === 'log' && logFailure !== null && (
            <TriangleAlert
              size={14}
              className={styles.partFailed}
              role="img"
              aria-label={errors[logFailure.code].title}
            />
          )}
        </button>
      ))}
    </div>
  )
}
