import { TriangleAlert } from 'lucide-react'
import { ERROR_TEXTS } from '../hub/error-texts.js'
import type { Failure } from '../hub/failure.js'
import { COMMON_TEXTS } from '../language/common-texts.js'
import { useTexts } from '../language/texts.js'
import { Button } from './button.js'
import styles from './controls.module.css'

interface FailureNoteProps {
  readonly failure: Failure
  /** What to do now, where the page knows more than the failure did when it happened. */
  readonly nextStep?: string | undefined
  readonly onRetry?: () => void
}

/** A failure in words: what it is, what exactly was wrong, and what to do now. */
export function FailureNote({ failure, nextStep = failure.nextStep, onRetry }: FailureNoteProps) {
  const common = useTexts(COMMON_TEXTS)
  const { title, remedy } = useTexts(ERROR_TEXTS)[failure.code]
  return (
    <div className={styles.note} role="alert">
      <TriangleAlert size={16} className={styles.noteIcon} aria-hidden />
      <div className={styles.noteBody}>
        <p>
          <strong>{title}</strong> <code className={styles.code}>{failure.code}</code>
        </p>
        {failure.reason !== '' && <p className={styles.reason}>{failure.reason}</p>}
        <p>
          <span className={styles.noteLabel}>{common.whatNow}</span> {nextStep ?? remedy}
        </p>
        {onRetry !== undefined && (
          <Button onClick={onRetry} className={styles.noteButton}>
            {common.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
