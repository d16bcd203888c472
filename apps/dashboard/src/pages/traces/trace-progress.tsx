import type { TraceEventItem } from '@synchub/client'
import type { ProgressView, TraceSummary } from '@synchub/protocol'
import { useEffect, useState } from 'react'
import { ProgressBar } from '../../controls/progress-bar.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import { live } from '../../live/live-connection.js'
import styles from './trace-rows.module.css'
import { TRACES_TEXTS } from './traces-texts.js'

/** Short traces end before anybody could read a bar, and scrolling past is no wish to watch. */
const SETTLE_MS = 500

/** How far the first call of a running trace is, live. Only rows that are in sight are watched. */
export function TraceProgress({ trace: { traceId, owner } }: { readonly trace: TraceSummary }) {
  const { progress: label } = useTexts(TRACES_TEXTS)
  const format = useFormat()
  const progress = useRootProgress(traceId, owner)
  return (
    <span className={styles.progress} title={progress?.message}>
      <ProgressBar progress={progress?.progress} total={progress?.total} label={label} />
      <span className={styles.percent}>
        {progress?.total ? format.percent(progress.progress / progress.total) : ''}
      </span>
    </span>
  )
}

function useRootProgress(traceId: string, owner: string): ProgressView | undefined {
  const [progress, setProgress] = useState<ProgressView>()
  useEffect(() => {
    let rootCallId: string | undefined
    let stop = () => {}
    const timer = setTimeout(() => {
      stop = live.watch(traceId, owner, {
        onSnapshot({ calls }) {
          rootCallId = calls[0]?.callId
          setProgress(calls[0]?.progress)
        },
        onEvents(events) {
          const last = events.findLast(({ event, data }) => event === 'progress' && data.callId === rootCallId)
          if (last?.event === 'progress') setProgress(toView(last))
        },
        // A trace that is gone leaves the list by itself.
        onFailure: () => setProgress(undefined),
      })
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [traceId, owner])
  return progress
}

function toView({ data }: Extract<TraceEventItem, { event: 'progress' }>): ProgressView {
  const { progress, total, message } = data
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }
}
