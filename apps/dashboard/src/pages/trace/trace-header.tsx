import type { TraceState } from '@synchub/protocol'
import { ArrowLeft, History, Link2, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../../controls/button.js'
import { ConfirmDialog } from '../../controls/confirm-dialog.js'
import { CopyButton } from '../../controls/copy-button.js'
import { FailureNote } from '../../controls/failure-note.js'
import { StateMark } from '../../controls/state-mark.js'
import { type Failure, toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import { addressOfList } from '../traces/shown-list.js'
import { TRACES_TEXTS } from '../traces/traces-texts.js'
import type { ModelCall } from './model/trace-model.js'
import styles from './trace.module.css'
import { TRACE_TEXTS } from './trace-texts.js'

interface TraceHeaderProps {
  readonly traceId: string
  readonly state: TraceState
  readonly roots: readonly ModelCall[]
  readonly openCallIds: readonly string[]
  readonly beginMs: number
  readonly endMs: number
  readonly isReplay: boolean
  /** There are events to play. */
  readonly mayReplay: boolean
  onReplay(): void
}

/** What the trace is, how it stands, and what can be done with it. */
export function TraceHeader(props: TraceHeaderProps) {
  const { traceId, state, roots, openCallIds, beginMs, endMs, isReplay, mayReplay, onReplay } = props
  const texts = useTexts(TRACE_TEXTS)
  const { states } = useTexts(COMMON_TEXTS)
  const { name: tracesName } = useTexts(TRACES_TEXTS)
  const format = useFormat()
  const [, go] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [root] = roots

  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (thrown) {
      setFailure(toFailure(thrown))
    }
    setBusy(false)
    setAsking(false)
  }
  const cancel = () =>
    act(async () => {
      for (const callId of openCallIds) await hub.cancel(callId)
    })
  const rerun = () =>
    act(async () => {
      let newTraceId: string | undefined
      for (const { callId } of roots) newTraceId = (await hub.rerun(callId, { traceId: newTraceId })).traceId
      if (newTraceId !== undefined) go(`/traces/${encodeURIComponent(newTraceId)}`)
    })

  return (
    <header className={styles.header}>
      <div className={styles.headline}>
        <Link href={addressOfList()} className={styles.back} aria-label={tracesName} title={tracesName}>
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className={styles.title}>{root?.tool ?? traceId}</h1>
        <StateMark state={state} />
        <div className={styles.actions}>
          {state === 'running' && !isReplay && (
            <Button kind="danger" isBusy={isBusy} onClick={() => setAsking(true)}>
              <Square size={13} aria-hidden />
              {texts.cancel}
            </Button>
          )}
          <Button isBusy={isBusy} aria-label={texts.rerun} onClick={() => void rerun()}>
            <RotateCw size={13} aria-hidden />
            <span className={styles.word}>{texts.rerun}</span>
          </Button>
          <Button aria-label={texts.replay} disabled={!mayReplay} onClick={onReplay} aria-pressed={isReplay}>
            <History size={13} aria-hidden />
            <span className={styles.word}>{texts.replay}</span>
          </Button>
        </div>
      </div>
      <p className={styles.facts}>
        <span className={styles.traceId}>
          <code>{traceId}</code>
          <CopyButton text={traceId} label={texts.copyTraceId} />
        </span>
        {root !== undefined && <span>{texts.by(root.caller)}</span>}
        <time dateTime={new Date(beginMs).toISOString()}>{format.instant(beginMs)}</time>
        <span className={styles.length}>{format.duration(endMs - beginMs)}</span>
        <CopyButton text={() => globalThis.location.href} label={texts.copyLink} icon={Link2} />
      </p>
      {failure !== null && <FailureNote failure={failure} />}
      {isAsking && (
        <ConfirmDialog
          title={texts.confirmCancel}
          action={texts.cancelAction}
          kind="danger"
          isBusy={isBusy}
          onConfirm={() => void cancel()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.cancelHint}</p>
        </ConfirmDialog>
      )}
      <span className="visually-hidden" role="status">
        {states[state]}
      </span>
    </header>
  )
}
