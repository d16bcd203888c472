import { isOpenState } from '@synchub/protocol'
import { ArrowLeft } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { CONTENT_ID } from '../../frame/frame.js'
import { hub } from '../../hub/hub-client.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useTexts } from '../../language/texts.js'
import { live } from '../../live/live-connection.js'
import { useNow } from '../../live/use-live.js'
import { useIsNarrow } from '../../screen/use-is-narrow.js'
import { addressOfList } from '../traces/shown-list.js'
import { CallPanel } from './call/call-panel.js'
import { EventPanel } from './call/event-panel.js'
import { EventLog } from './log/event-log.js'
import { MissingNote } from './missing-note.js'
import { causeOf } from './model/trace-cause.js'
import { TraceFeed, type TraceFeedView } from './model/trace-feed.js'
import type { TraceModel } from './model/trace-model.js'
import { ReplayBar } from './replay/replay-bar.js'
import { useReplay } from './replay/use-replay.js'
import { Timeline } from './timeline/timeline.js'
import styles from './trace.module.css'
import { TraceHeader } from './trace-header.js'
import { type TracePart, TraceParts } from './trace-parts.js'
import { type PlaceChange, useTracePlace } from './trace-place.js'
import { TraceReason } from './trace-reason.js'

/** How often a running trace moves on, in ms. */
const RUNNING_MS = 250

/** One trace, live or as it was. */
export function TracePage() {
  const [{ traceId, owner }] = useTracePlace()
  const feed = useMemo(() => new TraceFeed(hub, traceId, owner), [traceId, owner])
  useEffect(() => feed.start(live), [feed])
  const view = useSyncExternalStore(feed.subscribe, feed.read)
  const { toTraces } = useTexts(COMMON_TEXTS)
  const { model, failure } = view
  if (failure !== null) {
    return (
      <div className={styles.failure}>
        <p className={styles.headline}>
          <Link href={addressOfList()} className={styles.back} aria-label={toTraces} title={toTraces}>
            <ArrowLeft size={16} aria-hidden />
          </Link>
          <code>{traceId}</code>
        </p>
        <FailureNote failure={failure} />
      </div>
    )
  }
  return model === null ? <Waiting lines={8} /> : <LoadedTrace feed={feed} view={view} model={model} />
}

interface LoadedTraceProps {
  readonly feed: TraceFeed
  readonly view: TraceFeedView
  readonly model: TraceModel
}

function LoadedTrace({ feed, view, model }: LoadedTraceProps) {
  const { events, version, lastSeq, logFailure } = view
  const isNarrow = useIsNarrow()
  const [part, setPart] = useState<TracePart>('timeline')
  const [{ traceId, callId, seq }, go] = useTracePlace()
  const [wantsReplay, setReplay] = useState(false)
  const isReplay = wantsReplay && events.length > 0
  const { state } = model
  const isRunning = state === 'running'
  const clockMs = useNow(isRunning ? RUNNING_MS : undefined)
  const calls = [...model.calls.values()]
  const beginMs = calls.reduce((first, { createdMs }) => Math.min(first, createdMs), Number.POSITIVE_INFINITY)
  // What somebody found out about a call afterwards makes the trace no longer.
  const endedMs = calls.reduce((last, call) => Math.max(last, call.endedMs ?? 0), 0)
  const endMs = isRunning ? Math.max(clockMs, model.lastMs) : endedMs
  const axis = { beginMs, endMs: Math.max(endMs, beginMs + 1) }
  const replay = useReplay(events, beginMs, isReplay)
  const shown = isReplay
    ? { model: replay.model, nowMs: replay.atMs, version: replay.count }
    : { model, nowMs: endMs, version }
  const cause = isRunning || isReplay ? undefined : causeOf(calls)
  const selectedCall = callId === undefined ? undefined : shown.model.calls.get(callId)
  const selectedEvent = seq === undefined ? undefined : events[seq - (events[0]?.data.seq ?? 1)]
  // A snapshot may leave calls out, and the log comes in pages: before all of it is there, nothing is missing.
  const isWhole = (events.at(-1)?.data.seq ?? 0) >= lastSeq
  const isEventMissing = isWhole && seq !== undefined && selectedEvent === undefined
  const isCallMissing = isWhole && callId !== undefined && !model.calls.has(callId)
  const shownEvents = useMemo(
    () => (isReplay ? events.slice(0, replay.count) : events),
    [isReplay, events, replay.count],
  )
  const selectCall = useCallback((call: string) => go({ call, event: undefined }), [go])
  const main = useRef<HTMLDivElement>(null)
  const leavePanel = useCallback(
    (change: PlaceChange) => {
      if (document.activeElement?.closest('aside') !== null) focusOpener(main.current)
      go(change)
    },
    [go],
  )
  const close = useCallback(() => leavePanel({ call: undefined, event: undefined }), [leavePanel])
  useEffect(() => {
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) close()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  }, [close])

  return (
    <div className={styles.page}>
      <TraceHeader
        traceId={traceId}
        state={shown.model.state}
        roots={calls.filter(({ parentCallId }) => parentCallId === undefined || !model.calls.has(parentCallId))}
        openCallIds={calls.filter((call) => isOpenState(call.state)).map((call) => call.callId)}
        beginMs={beginMs}
        endMs={endMs}
        isReplay={isReplay}
        mayReplay={events.length > 0}
        onReplay={() => setReplay(!isReplay)}
      />
      {cause !== undefined && callId === undefined && <TraceReason cause={cause} onSelect={selectCall} />}
      {(isEventMissing || isCallMissing) && <MissingNote what={isEventMissing ? 'event' : 'call'} />}
      {isReplay && (
        <ReplayBar replay={replay} axis={axis} eventCount={events.length} onLeave={() => setReplay(false)} />
      )}
      {isNarrow && <TraceParts part={part} logFailure={logFailure} onChoose={setPart} />}
      <div className={styles.split}>
        <div ref={main} className={styles.main} data-part={isNarrow ? part : 'both'}>
          {(!isNarrow || part === 'timeline') && (
            <Timeline
              model={shown.model}
              version={shown.version}
              axis={axis}
              nowMs={shown.nowMs}
              isReplay={isReplay}
              selected={callId ?? selectedEvent?.data.callId}
              onSelect={selectCall}
            />
          )}
          {(!isNarrow || part === 'log') && (
            <EventLog
              key={isReplay ? 'replay' : 'live'}
              events={shownEvents}
              version={shown.version}
              lastSeq={isReplay ? replay.count : lastSeq}
              beginMs={beginMs}
              callId={callId}
              seq={seq}
              isOpen={isReplay || isRunning}
              failure={logFailure}
              onSelect={({ data }) => go({ event: data.seq })}
              onRetry={() => feed.loadLog()}
            />
          )}
        </div>
        {selectedEvent !== undefined ? (
          <EventPanel
            event={selectedEvent}
            onClose={() => leavePanel({ event: undefined })}
            onGoToCall={() => selectCall(selectedEvent.data.callId)}
          />
        ) : selectedCall !== undefined ? (
          <CallPanel key={selectedCall.callId} call={selectedCall} nowMs={shown.nowMs} onClose={close} />
        ) : null}
      </div>
    </div>
  )
}

/** Stands the keys where a panel was opened from: at the event, else at the call, that is chosen in the lists. */
function focusOpener(lists: HTMLElement | null): void {
  const chosen = [...(lists?.querySelectorAll<HTMLElement>('[data-row][aria-pressed="true"]') ?? [])]
  const opener = chosen.at(-1) ?? document.getElementById(CONTENT_ID)
  opener?.focus()
}
