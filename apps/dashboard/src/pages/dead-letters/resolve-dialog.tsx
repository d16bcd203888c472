import type { DeadLetterView } from '@synchub/protocol'
import { useId, useState } from 'react'
import { ConfirmDialog } from '../../controls/confirm-dialog.js'
import { FailureNote } from '../../controls/failure-note.js'
import { type Failure, toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { useTexts } from '../../language/texts.js'
import styles from './dead-letters.module.css'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

interface ResolveDialogProps {
  readonly letter: DeadLetterView
  onClose(): void
  /** Told in words what came of it. */
  onDone(words: string): void
}

/** Most characters that the hub takes. */
const MAX_REASON_LENGTH = 1000

/** Asks what became of a call, and tells the hub. */
export function ResolveDialog({ letter: { callId, tool }, onClose, onDone }: ResolveDialogProps) {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fieldId = useId()
  const send = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const { resolved, resolution } = await hub.resolve(callId, { reason: reason.trim() })
      onDone(resolved ? texts.resolvedNow(tool) : texts.resolvedBefore(tool, resolution.by, resolution.reason))
    } catch (thrown) {
      setFailure(toFailure(thrown))
      setBusy(false)
    }
  }
  const isIncomplete = reason.trim() === ''
  return (
    <ConfirmDialog
      title={texts.resolveTitle(tool)}
      action={texts.resolveAction}
      kind="primary"
      isBusy={isBusy}
      isIncomplete={isIncomplete}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>{texts.resolveHint}</p>
      <label htmlFor={fieldId} className={styles.label}>
        {texts.reason}
      </label>
      <textarea
        id={fieldId}
        className={styles.field}
        rows={3}
        maxLength={MAX_REASON_LENGTH}
        placeholder={texts.reasonExample}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter' && (ctrlKey || metaKey) && !isIncomplete && !isBusy) void send()
        }}
      />
      {failure !== null && <FailureNote failure={failure} />}
    </ConfirmDialog>
  )
}
