import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { COMMON_TEXTS } from '../language/common-texts.js'
import { useTexts } from '../language/texts.js'
import { Button, type ButtonKind } from './button.js'
import styles from './controls.module.css'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** What the button says that does it: a verb and what of. */
  readonly action: string
  readonly kind: ButtonKind
  readonly isBusy?: boolean
  /** Whether something that it needs is still missing. */
  readonly isIncomplete?: boolean
  onConfirm(): void
  onClose(): void
}

/** Asks before something that cannot be taken back. Escape and the other button leave everything as it is. */
export function ConfirmDialog({
  title,
  children,
  action,
  kind,
  isBusy = false,
  isIncomplete = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { keep } = useTexts(COMMON_TEXTS)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before its element is gone, so that the focus goes back to what was pressed.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onCancel={onClose}>
      <h2 id={titleId} className={styles.dialogTitle}>
        {title}
      </h2>
      <div className={styles.dialogBody}>{children}</div>
      <div className={styles.dialogButtons}>
        <Button onClick={onClose} disabled={isBusy}>
          {keep}
        </Button>
        <Button kind={kind} isBusy={isBusy} disabled={isIncomplete} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </dialog>
  )
}
