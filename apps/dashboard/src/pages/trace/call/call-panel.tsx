import { isOpenState, type ResolutionView, shownStateOf } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { CheckCheck, TimerOff, X } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../../controls/copy-button.js'
import { FailureNote } from '../../../controls/failure-note.js'
import { StateMark } from '../../../controls/state-mark.js'
import { Waiting } from '../../../controls/waiting.js'
import { toFailure } from '../../../hub/failure.js'
import { COMMON_TEXTS } from '../../../language/common-texts.js'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import type { LatePayload } from '../../../payload/call-payload.js'
import { CodeView } from '../../../payload/code-view.js'
import { loadPayload, PayloadFailure } from '../../../payload/load-payload.js'
import { PayloadParts } from '../../../payload/payload-parts.js'
import { takeLostFocus } from '../../../screen/lost-focus.js'
import type { ModelCall } from '../model/trace-model.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import styles from './panel.module.css'

interface CallPanelProps {
  readonly call: ModelCall
  readonly nowMs: number
  onClose(): void
}

type Tab = 'result' | 'arguments'

/** Everything about one call; what it was given and answered is fetched now that somebody wants it. */
export function CallPanel({ call, nowMs, onClose }: CallPanelProps) {
  const texts = useTexts(TRACE_TEXTS)
  const common = useTexts(COMMON_TEXTS)
  const [tab, setTab] = useState<Tab>(call.failure === undefined || hasAnsweredLate(call) ? 'result' : 'arguments')
  const isOpen = isOpenState(call.state)
  return (
    <aside className={styles.panel} aria-label={texts.details}>
      <header className={styles.head}>
        <StateMark state={shownStateOf(call)} isBare />
        <h2 ref={takeLostFocus} className={styles.title} tabIndex={-1}>
          {call.tool}
        </h2>
        <button type="button" className={styles.close} aria-label={common.close} title={common.close} onClick={onClose}>
          <X size={15} aria-hidden />
        </button>
      </header>
      <div className={styles.body}>
        <CallFacts call={call} nowMs={nowMs} />
        {call.isError && <p className={styles.toolFailed}>{texts.toolFailed}</p>}
        {call.failure !== undefined && (
          // The advice of the record is for a call of which nobody knows what became.
          <FailureNote
            failure={call.failure}
            nextStep={call.resolution === undefined ? undefined : texts.goByResolution}
          />
        )}
        {call.resolution !== undefined && <ResolutionNote resolution={call.resolution} />}
        <div className={styles.tabs} role="tablist" aria-label={texts.details}>
          {(['result', 'arguments'] as const).map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              className={styles.tab}
              aria-selected={tab === each}
              onClick={() => setTab(each)}
            >
              {texts[each]}
            </button>
          ))}
        </div>
        <CallPayloadView call={call} isOpen={isOpen} tab={tab} />
      </div>
    </aside>
  )
}

function ResolutionNote({ resolution: { at, by, reason } }: { readonly resolution: ResolutionView }) {
  const { resolvedBy } = useTexts(TRACE_TEXTS)
  const format = useFormat()
  return (
    <div className={styles.resolution}>
      <CheckCheck size={15} aria-hidden />
      <div>
        <p>{reason}</p>
        <p className={styles.hint}>{resolvedBy(by, format.instant(Date.parse(at)))}</p>
      </div>
    </div>
  )
}

/** An agent that answered after all is named as who found out, where people are otherwise. */
function hasAnsweredLate({ agent, resolution }: ModelCall): boolean {
  return resolution?.by === agent
}

function CallPayloadView(props: { readonly call: ModelCall; readonly isOpen: boolean; readonly tab: Tab }) {
  const { call, isOpen, tab } = props
  const { callId, failure: ending, resolution } = call
  const texts = useTexts(TRACE_TEXTS)
  const { data, error, isPending, refetch } = useQuery({
    // What is found out later may bring an answer along.
    queryKey: ['payload', callId, isOpen, resolution === undefined],
    queryFn: () => loadPayload({ kind: 'call', callId }),
    gcTime: 30_000,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) return <Waiting />
  if (error !== null) {
    const failure = error instanceof PayloadFailure ? error.failure : toFailure(error)
    return <FailureNote failure={failure} onRetry={() => void refetch()} />
  }
  if (tab === 'arguments') return <CodeView code={data.arguments} title={texts.arguments} />
  if (isOpen) return <p className={styles.hint}>{texts.stillOpen}</p>
  if (data.late !== undefined) return <LateAnswer late={data.late} />
  if (ending !== undefined && data.parts.length === 0) return null
  return (
    <>
      <PayloadParts parts={data.parts} />
      {data.tokenUsage !== undefined && (
        <p className={styles.hint}>
          {texts.tokens} <code>{data.tokenUsage}</code>
        </p>
      )}
    </>
  )
}

function LateAnswer({ late: { atMs, parts, hasToolFailed, failure } }: { readonly late: LatePayload }) {
  const { answeredLate } = useTexts(TRACE_TEXTS)
  const { states } = useTexts(COMMON_TEXTS)
  const format = useFormat()
  return (
    <section className={styles.late}>
      <p className={styles.lateMark}>
        <TimerOff size={15} aria-hidden /> {answeredLate(format.instant(atMs))}
      </p>
      {hasToolFailed && <p className={styles.state}>{states.tool_failed}</p>}
      {failure === undefined ? <PayloadParts parts={parts} /> : <FailureNote failure={failure} />}
    </section>
  )
}

function CallFacts({ call, nowMs }: { readonly call: ModelCall; readonly nowMs: number }) {
  const texts = useTexts(TRACE_TEXTS)
  const common = useTexts(COMMON_TEXTS)
  const format = useFormat()
  const { states } = common
  const endMs = call.endedMs ?? nowMs
  const firstMs = call.attempts[0]?.startedMs
  const state = states[shownStateOf(call)]
  const facts: readonly (readonly [string, string])[] = [
    [texts.agent, call.agent],
    [texts.caller, call.caller],
    [texts.began, format.instant(call.createdMs)],
    [texts.waitedFor, format.duration((firstMs ?? endMs) - call.createdMs)],
    ...(firstMs === undefined ? [] : [[texts.ranFor, format.duration(endMs - firstMs)] as const]),
    ...(call.originCallId === undefined ? [] : [[texts.origin, call.originCallId] as const]),
  ]
  return (
    <>
      <p className={styles.state}>
        {state}
        {call.attempts.length > 1 && ` · ${texts.attempts(format.number(call.attempts.length))}`}
        {call.message !== undefined && call.endedMs === undefined && ` · ${call.message}`}
      </p>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className={styles.fact}>
          <dt>{texts.copyCallId}</dt>
          <dd className={styles.id}>
            <code>{call.callId}</code>
            <CopyButton text={call.callId} label={texts.copyCallId} />
          </dd>
        </div>
      </dl>
      {call.attempts.length > 1 && (
        <ol className={styles.attempts}>
          {call.attempts.map((attempt) => (
            <li key={attempt.number}>
              <strong>{texts.attempt(format.number(attempt.number))}</strong>{' '}
              {format.duration((attempt.endedMs ?? endMs) - attempt.startedMs)}
              {attempt.reason !== undefined && ` · ${texts.gaveUp(attempt.reason)}`}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
