import { HubError, type InputRequired, traceparentOfCall } from '@synchub/protocol'
import type { CallRecord } from '../call/call-record.js'
import type { ToolPolicy } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'
import { isAnswered } from '../input/question.js'
import { toInstant } from '../instant.js'
import type { StopSignal } from '../stop-switch.js'
import type { AgentCallRequest, AgentOutcome } from './agent-connection.js'
import { type AttemptLimit, startAttemptTimers } from './attempt-timers.js'
import { findCalledTool } from './called-tool.js'
import { maskCarried } from './carried-headers.js'
import type { OverdueAttempt } from './late-answer.js'
import { openProgressLog } from './progress-log.js'
import { cutProgress, readProgress } from './progress-rule.js'
import type { RunContext, RunSignals } from './run-ports.js'
import { maskSent } from './secret-mask.js'

/** How one attempt ended, before anything of it is recorded. */
export type AttemptEnd =
  | { readonly kind: 'answered'; readonly outcome: AnsweredOutcome; readonly total: number | undefined }
  /** The agent wants input first. */
  | { readonly kind: 'asking'; readonly input: InputRequired }
  /** The agent was surely not asked. */
  | { readonly kind: 'unreachable'; readonly error: HubError }
  /** The agent may or may not have acted; where it was only silent for too long, it may still answer. */
  | { readonly kind: 'lost'; readonly error: HubError; readonly overdue?: OverdueAttempt }
  /** The attempt took longer than the tool may. */
  | { readonly kind: 'overdue'; readonly error: HubError; readonly overdue: OverdueAttempt }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'stopping' }

/** An agent's own word on the call. */
export type AnsweredOutcome = Extract<AgentOutcome, { kind: 'result' | 'error' | 'broken' }>

/** Reaches the agent once under the attempt's fencing token, and appends its progress. */
export async function runAttempt(
  call: OpenedCall,
  policy: ToolPolicy,
  ports: RunContext,
  signals: RunSignals,
): Promise<AttemptEnd> {
  const connection = ports.connectionOf(call.agent)
  if (connection === undefined) {
    return {
      kind: 'unreachable',
      error: new HubError('AGENT_UNAVAILABLE', `no agent ${call.agent} is configured here`),
    }
  }
  const timers = startAttemptTimers(ports.clock, policy)
  let hasLostHold = false
  // By hand and not by AbortSignal.any, which costs a short call as much as all the rest of its run.
  const outside = [signals.superseded, signals.stopping]
  for (const signal of outside) {
    signal.addEventListener('abort', timers.cut)
    if (signal.aborted) timers.cut()
  }
  const progressLog = openProgressLog(call, ports)
  let total: number | undefined
  try {
    const answer = connection.call(
      {
        callId: call.callId,
        traceId: call.trace.traceId,
        ...traceparentIn(call),
        attempt: call.attempt,
        tool: call.tool,
        arguments: call.arguments,
        inputSchema: findCalledTool(call, ports)?.tool.inputSchema,
        deadline: toInstant(ports.clock.now() + policy.maxDurationMs),
        callerAgent: call.caller,
        targetAgent: call.agent,
        ...(call.inputCapabilities === undefined ? {} : { inputCapabilities: call.inputCapabilities }),
        ...inputOf(call),
        ...(call.accessToken === undefined ? {} : { accessToken: call.accessToken }),
        carried: ports.carried,
      },
      {
        onSignOfLife: timers.touch,
        async onProgress(progress) {
          // The attempt is over: what comes now is not even a sign of life.
          if (timers.expiry.aborted) return
          timers.touch()
          const reading = readProgress(progress)
          if (!reading.ok) return ports.notice(call, `progress refused: ${reading.reason}`)
          total = reading.total ?? total
          const data = cutProgress(maskCarried(maskSent(reading.data, call, ports), ports.carried))
          if (await progressLog.append(data)) return
          hasLostHold = true
          timers.cut()
        },
      },
      timers.signal,
    )
    const outcome = await untilExpiry(answer, timers.expiry)
    if (outcome === null) return endOfLimit(call, policy, timers.expired(), { outcome: answer, total, end: timers.cut })
    if (outcome.kind !== 'aborted') return endOf(outcome, total)
  } finally {
    timers.stop()
    for (const signal of outside) signal.removeEventListener('abort', timers.cut)
  }
  return { kind: hasLostHold || signals.superseded.aborted ? 'superseded' : 'stopping' }
}

/** Null when a limit runs out first. */
function untilExpiry<T>(work: Promise<T>, expiry: StopSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    expiry.addEventListener('abort', () => resolve(null), { once: true })
    work.then(resolve, reject)
  })
}

function endOf(outcome: Exclude<AgentOutcome, { kind: 'aborted' }>, total: number | undefined): AttemptEnd {
  if (outcome.kind === 'unreachable' || outcome.kind === 'lost') return outcome
  return outcome.kind === 'input' ? { kind: 'asking', input: outcome.input } : { kind: 'answered', outcome, total }
}

function endOfLimit(
  call: CallRecord,
  policy: ToolPolicy,
  limit: AttemptLimit | undefined,
  overdue: OverdueAttempt,
): AttemptEnd {
  const unknown = (reason: string) => new HubError('OUTCOME_UNKNOWN', reason)
  return limit === 'silence'
    ? { kind: 'lost', overdue, error: unknown(`${call.agent} was silent for ${policy.silenceTimeoutMs} ms`) }
    : { kind: 'overdue', overdue, error: unknown(`${call.agent} did not end within ${policy.maxDurationMs} ms`) }
}

/** The call as a span of its trace, whatever connects its agent. */
function traceparentIn({ callId, trace: { traceId }, w3cTraceId }: CallRecord): Pick<AgentCallRequest, 'traceparent'> {
  const traceparent = traceparentOfCall({ callId, traceId, w3cTraceId })
  return traceparent === undefined ? {} : { traceparent }
}

/** What the caller answered, where that was asked in an earlier attempt. */
function inputOf({ question }: CallRecord): Pick<AgentCallRequest, 'input'> {
  if (question === undefined || !isAnswered(question)) return {}
  const { answers: responses, agentState } = question
  return { input: { responses, ...(agentState === undefined ? {} : { requestState: agentState }) } }
}
