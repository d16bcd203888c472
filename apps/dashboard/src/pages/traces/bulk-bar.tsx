import type { TraceSummary } from '@synchub/protocol'
import { RotateCw, Square, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../controls/button.js'
import { ConfirmDialog } from '../../controls/confirm-dialog.js'
import { hub } from '../../hub/hub-client.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import type { Format } from '../../language/written-format.js'
import { type BulkAction, type BulkProgress, runBulk } from './bulk.js'
import styles from './traces.module.css'
import { TRACES_TEXTS } from './traces-texts.js'

const MOST_NAMED = 3

interface BulkBarProps {
  /** The traces that are selected; where none are, those of the filter. */
  readonly traces: readonly TraceSummary[]
  readonly selectedCount: number
  /** Whether the filter is narrow enough to act on all that it shows. */
  readonly mayActOnAll: boolean
  /** Whether the filter has more traces than are loaded. */
  readonly goesOn: boolean
  /** Loads the rest of them. Returns whether that went well. */
  loadAll(): Promise<boolean>
  onClear(): void
}

/** What can be done with many traces at once: asked for with a count, done step by step, and told of afterwards. */
export function BulkBar({ traces, selectedCount, mayActOnAll, goesOn, loadAll, onClear }: BulkBarProps) {
  const texts = useTexts(TRACES_TEXTS)
  const format = useFormat()
  const [asked, setAsked] = useState<BulkAction | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const running = traces.filter(({ state }) => state === 'running')
  const isBusy = progress !== null && progress.done < progress.all
  // All that the filter shows is meant, not all that is loaded of it.
  const isPart = selectedCount === 0 && goesOn
  const askToCancel = async (): Promise<void> => {
    setLoading(true)
    const isWhole = !isPart || (await loadAll())
    setLoading(false)
    if (isWhole) setAsked('cancel')
  }
  const run = async (action: BulkAction): Promise<void> => {
    const chosen = action === 'cancel' ? running : traces
    setAsked(null)
    await runBulk(hub, action, chosen, setProgress)
    onClear()
  }
  return (
    <div className={styles.bulk}>
      {selectedCount > 0 && <span className={styles.count}>{texts.selected(format.number(selectedCount))}</span>}
      {(selectedCount > 0 || mayActOnAll) && running.length > 0 && (
        <Button kind="danger" disabled={isBusy} isBusy={isLoading} onClick={() => void askToCancel()}>
          <Square size={13} aria-hidden />
          {(isPart ? texts.cancelRunningMore : texts.cancelRunning)(format.number(running.length))}
        </Button>
      )}
      {selectedCount > 0 && (
        <>
          <Button disabled={isBusy} onClick={() => setAsked('rerun')}>
            <RotateCw size={13} aria-hidden />
            {texts.rerun(format.number(selectedCount))}
          </Button>
          <Button kind="quiet" onClick={onClear} aria-label={texts.clearSelection} title={texts.clearSelection}>
            <X size={14} aria-hidden />
          </Button>
        </>
      )}
      <p className={styles.outcome} role="status">
        {progress !== null &&
          (isBusy
            ? texts.working(format.number(progress.done), format.number(progress.all))
            : describe(progress, texts, format))}
      </p>
      {progress !== null && !isBusy && (
        <Button kind="quiet" aria-label={texts.dismiss} title={texts.dismiss} onClick={() => setProgress(null)}>
          <X size={14} aria-hidden />
        </Button>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={running.length === 1 ? texts.confirmCancelOne : texts.confirmCancel(format.number(running.length))}
          action={texts.cancelRunning(format.number(running.length))}
          kind="danger"
          onConfirm={() => void run('cancel')}
          onClose={() => setAsked(null)}
        >
          <p>{texts.begunBy(nameCallers(running))}</p>
          <p>{texts.cancelHint}</p>
          {selectedCount > running.length && <p>{texts.skippedHint(format.number(selectedCount - running.length))}</p>}
        </ConfirmDialog>
      )}
      {asked === 'rerun' && (
        <ConfirmDialog
          title={traces.length === 1 ? texts.confirmRerunOne : texts.confirmRerun(format.number(traces.length))}
          action={texts.rerun(format.number(traces.length))}
          kind="primary"
          onConfirm={() => void run('rerun')}
          onClose={() => setAsked(null)}
        >
          <p>{texts.rerunHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function describe(progress: BulkProgress, texts: (typeof TRACES_TEXTS)['en'], format: Format): string {
  const { action, succeeded, endedBefore, failed, failure } = progress
  const done = action === 'cancel' ? texts.cancelledDone : texts.rerunDone
  return [
    done(format.number(succeeded)),
    ...(endedBefore > 0 ? [texts.endedBefore(format.number(endedBefore))] : []),
    ...(failed > 0 ? [texts.failedDone(format.number(failed), failure?.reason ?? '')] : []),
  ].join(' · ')
}

function nameCallers(traces: readonly TraceSummary[]): string {
  const callers = [...new Set(traces.map(({ caller }) => caller))]
  return [...callers.slice(0, MOST_NAMED), ...(callers.length > MOST_NAMED ? ['…'] : [])].join(', ')
}
