import type { DeadLetterView } from '@synchub/protocol'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../../controls/confirm-dialog.js'
import { FailureNote } from '../../controls/failure-note.js'
import { type Failure, toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useTexts } from '../../language/texts.js'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

interface RerunDialogProps {
  readonly letter: DeadLetterView
  onClose(): void
}

/** Asks before a call runs again that may have acted already, and leads to its new trace. */
export function RerunDialog({ letter: { callId, tool, state }, onClose }: RerunDialogProps) {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const { rerun } = useTexts(COMMON_TEXTS)
  const [, go] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const isRisky = state === 'unknown'
  const start = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const { traceId } = await hub.rerun(callId)
      go(`/traces/${encodeURIComponent(traceId)}`)
    } catch (thrown) {
      setFailure(toFailure(thrown))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={texts.rerunTitle(tool)}
      action={rerun}
      kind={isRisky ? 'danger' : 'primary'}
      isBusy={isBusy}
      onConfirm={() => void start()}
      onClose={onClose}
    >
      <p>{isRisky ? texts.rerunUnknown : texts.rerunFailed}</p>
      <p>{texts.rerunHint}</p>
      {failure !== null && <FailureNote failure={failure} />}
    </ConfirmDialog>
  )
}
