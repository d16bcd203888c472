import { HubError, type InputRequired } from '@synchub/protocol'
import { createTicketId } from '../approval/ticket-id.js'
import type { CallChange, EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import { cancelChildren } from '../call/cancel-call.js'
import { type ChangeEvent, transitionOf } from '../call/state-table.js'
import { pause } from '../clock.js'
import { endingOfError } from '../completion/ending.js'
import { agentOf, policyOf, type ToolPolicy } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'
import { askCaller } from '../input/ask-caller.js'
import { toAgentFailure } from './agent-error.js'
import { type CarriedHeaders, maskCarried } from './carried-headers.js'
import { awaitLateAnswer, dropLateAnswer, keepLateEnding } from './late-answer.js'
import { nextAttempt } from './next-attempt.js'
import { endingOfToolResult } from './result-ending.js'
import { retryDelayMs } from './retry-delay.js'
import { type AnsweredOutcome, type AttemptEnd, runAttempt } from './run-attempt.js'
import type { RunContext, RunPorts, RunSignals } from './run-ports.js'
import { maskSent } from './secret-mask.js'
import { withStorePatience } from './store-patience.js'

/** How a run ended for the process that held it. */
export type RunEnd =
  /** The terminal event is in the log. */
  | { readonly kind: 'ended'; readonly ending: EventDraft }
  /** Somebody else ended the call or holds it now. */
  | { readonly kind: 'superseded' }
  /** The agent waits for what the caller answers. */
  | { readonly kind: 'asked' }
  /** The process stops; the call is queued again. */
  | { readonly kind: 'handed-back' }

/**
 * Runs a call whose attempt is open: reaches the agent, tries again where that is safe, and ends the call exactly once. The
 * completion list of design section 3 stands behind every ending: fence and append are one step of the log.
 * @param call - the record as it is with the attempt open
 * @param carried - what the caller sent for the agent alone; the ending that is returned may hold it, the one on record does not
 */
export async function runCall(
  call: OpenedCall,
  given: RunPorts,
  signals: RunSignals,
  carried: CarriedHeaders = {},
): Promise<RunEnd> {
  // V8 adds members to what it has just copied ten times slower than it copies into a new object (docs/BENCHMARKS.md).
  const ports: RunContext = { carried, ...given, stopping: signals.stopping }
  const agent = agentOf(ports.config, call.agent)
  if (agent === undefined) {
    const error = new HubError('AGENT_UNAVAILABLE', `the agent ${call.agent} is not in this configuration any more`)
    return finish(call, endingOfError('failed', locate(error, call), call), ports)
  }
  const policy = policyOf(agent, call.tool)
  let current = call
  // An attempt before this run may have reached the agent: only the first one can say that nothing was done.
  let mayHaveActed = call.attempt > 1
  for (;;) {
    const end = await runAttempt(current, policy, ports, signals)
    const mayHaveActedBefore = mayHaveActed
    mayHaveActed ||= end.kind !== 'unreachable'
    if (end.kind === 'superseded') return standDown(current, ports)
    if (end.kind === 'asking') return ask(current, end.input, ports)
    if (end.kind === 'answered') {
      return finishAnswered(current, await endingOfAnswer(current, end, mayHaveActedBefore, ports), ports)
    }
    if (end.kind === 'stopping') return handBack(current, policy, ports)
    const overdue = end.kind === 'unreachable' ? undefined : end.overdue
    if (!mayTryAgain(end, current, policy)) {
      const run = await finish(current, endingOfSilence(current, end, mayHaveActed), ports)
      if (overdue === undefined) return run
      const wait = { reason: end.error.reason, waitMs: run.kind === 'ended' ? policy.lateAnswerMs : 0 }
      awaitLateAnswer(current, overdue, wait, ports, signals)
      return run
    }
    // The next attempt asks the agent for the same work: what it answers to this one does not count.
    if (overdue !== undefined) dropLateAnswer(current, overdue, ports)
    const next = await tryAgain(current, end.error, policy, ports, signals)
    // Between two attempts nobody works on the call, so it may go elsewhere whatever its tool.
    if (next === 'stopping') return queueAgain(current, policy, ports)
    if (next === 'superseded') return standDown(current, ports)
    current = next
  }
}

/** A call that was surely not asked may always be asked; one that may have acted only where the configuration says so. */
function mayTryAgain(end: Extract<AttemptEnd, { error: HubError }>, call: CallRecord, policy: ToolPolicy): boolean {
  if (call.attempt >= policy.maxAttempts) return false
  if (end.kind === 'unreachable') return call.mode === 'queued'
  return end.kind === 'lost' && policy.safeToRepeat
}

async function tryAgain(
  call: OpenedCall,
  error: HubError,
  policy: ToolPolicy,
  ports: RunContext,
  signals: RunSignals,
): Promise<OpenedCall | 'stopping' | 'superseded'> {
  const delayMs = retryDelayMs(policy, call.attempt)
  const retrying = {
    event: 'retrying',
    data: maskCarried(maskSent({ attempt: call.attempt, delayMs, reason: error.reason }, call, ports), ports.carried),
  } as const
  if (!(await change(call, [retrying], ports))) return 'superseded'
  const waited = await pause(ports.clock, delayMs, signals.superseded, signals.stopping)
  if (!waited) return signals.superseded.aborted ? 'superseded' : 'stopping'
  const next = nextAttempt(call, ports)
  return (await change(call, [next.started], ports, next.opening)) ? next.open() : 'superseded'
}

async function endingOfAnswer(
  call: CallRecord,
  { outcome, total }: { readonly outcome: AnsweredOutcome; readonly total: number | undefined },
  mayHaveActedBefore: boolean,
  ports: RunContext,
): Promise<EventDraft<ChangeEvent>> {
  if (outcome.kind === 'result') return endingOfToolResult(call, outcome.result, total, ports)
  const error = toAgentFailure(outcome.error, call)
  // An agent that cannot tell what it did leaves the call as unknown as one that was lost.
  if (error.code === 'OUTCOME_UNKNOWN') return endingOfError('unknown', error, call)
  // That it does nothing now says nothing of an attempt before.
  if (error.code === 'AGENT_UNAVAILABLE' && mayHaveActedBefore) {
    return endingOfError('unknown', locate(unknownBefore(error), call), call)
  }
  if (error.code !== 'HITL_APPROVAL_REQUIRED') return endingOfError('failed', error, call)
  return endingOfError('failed', await withTicket(call, error, ports), call)
}

/** The agent refused without an approval: the hub mints the ticket that an administrator will decide (S0.5). */
async function withTicket(call: CallRecord, error: HubError, ports: RunContext): Promise<HubError> {
  const ticketId = createTicketId()
  const { callId, trace, agent, tool } = call
  const told = maskSent({ detail: error.details.detail ?? error.reason }, call, ports)
  const detail = String(maskCarried(told, ports.carried).detail)
  await withStorePatience(
    ports.clock,
    () => ports.tickets.record({ ticketId, callId, trace, agent, tool, detail, requestedAtMs: ports.clock.now() }),
    ports.stopping,
  )
  return error.with({ approvalTicketId: ticketId })
}

/** A call that failed because nobody was reached says that nothing was done; that has to be true of every attempt. */
function endingOfSilence(
  call: CallRecord,
  { kind, error }: Extract<AttemptEnd, { error: HubError }>,
  mayHaveActed: boolean,
): EventDraft<ChangeEvent> {
  if (!mayHaveActed) return endingOfError('failed', locate(error, call), call)
  const unknown = kind === 'unreachable' ? unknownBefore(error) : error
  return endingOfError('unknown', locate(unknown, call), call)
}

function unknownBefore(error: HubError): HubError {
  const reason = `an earlier attempt may have acted, and now ${error.reason}`
  return new HubError('OUTCOME_UNKNOWN', reason, { cause: error })
}

/**
 * Ends a call that its agent has answered. Where somebody has given it up meanwhile, as happens to a process that was paused, the
 * answer is kept as a late one.
 */
async function finishAnswered(call: CallRecord, ending: EventDraft<ChangeEvent>, ports: RunContext): Promise<RunEnd> {
  const run = await finish(call, ending, ports)
  if (run.kind === 'superseded') await keepLateEnding(call, ending, ports)
  return run
}

async function handBack(call: CallRecord, policy: ToolPolicy, ports: RunContext): Promise<RunEnd> {
  if (!policy.safeToRepeat) {
    const error = new HubError('OUTCOME_UNKNOWN', `the hub stopped while ${call.agent} worked on the call`)
    return finish(call, endingOfError('unknown', locate(error, call), call), ports)
  }
  return queueAgain(call, policy, ports)
}

async function queueAgain(call: CallRecord, policy: ToolPolicy, ports: RunContext): Promise<RunEnd> {
  const queueDeadlineAtMs = ports.clock.now() + policy.queueWaitMs
  const set = { mode: 'queued', queueDeadlineAtMs } as const
  if (!(await change(call, [{ event: 'handed_back', data: {} }], ports, { set }))) return { kind: 'superseded' }
  if (call.mode === 'direct') await ports.queue.add(call)
  return { kind: 'handed-back' }
}

async function ask(call: CallRecord, input: InputRequired, ports: RunContext): Promise<RunEnd> {
  const asking = askCaller(call, input, ports.clock.now())
  if (asking.kind === 'unanswerable') return finish(call, asking.ending, ports)
  const { event, question } = asking
  const told = { event: event.event, data: maskCarried(maskSent(event.data, call, ports), ports.carried) }
  return (await change(call, [told], ports, { set: { question } })) ? { kind: 'asked' } : { kind: 'superseded' }
}

async function standDown(call: CallRecord, ports: RunContext): Promise<RunEnd> {
  const record = await ports.log.find(call.callId)
  if (record?.state === 'cancelled') await ports.connectionOf(call.agent)?.notifyCancelled(call.callId, 'cancelled')
  return { kind: 'superseded' }
}

async function finish(call: CallRecord, given: EventDraft<ChangeEvent>, ports: RunContext): Promise<RunEnd> {
  const ending = { ...given, data: maskSent(given.data, call, ports) }
  const recorded = { ...ending, data: maskCarried(ending.data, ports.carried) }
  if (!(await change(call, [recorded], ports))) return { kind: 'superseded' }
  if (call.grant !== undefined) await endChildren(call, ending.event, ports)
  return { kind: 'ended', ending }
}

/** The call has ended in any case: what is left open below it now, a sweep closes. */
async function endChildren(call: CallRecord, ending: ChangeEvent, ports: RunContext): Promise<void> {
  try {
    await cancelChildren(call, transitionOf(ending).to, ports)
  } catch (thrown) {
    ports.notice(call, `calls of its agent stay open until the next sweep: ${HubError.from(thrown).message}`)
  }
}

/** One step of this attempt; false when the attempt does not hold the call any more. */
async function change(
  call: CallRecord,
  events: CallChange['events'],
  ports: RunContext,
  extra: Pick<CallChange, 'opensAttempt' | 'set'> = {},
): Promise<boolean> {
  const { attempt } = call
  const { clock, log, stopping } = ports
  // A direct call runs in the very hub that its caller waits at.
  const step = { call, attempt, events, isAnsweredHere: call.mode === 'direct', ...extra }
  const outcome = await withStorePatience(clock, () => log.change(step), stopping)
  return outcome.kind === 'changed'
}

/** Adds where the call is found. */
function locate(error: HubError, { callId, trace }: CallRecord): HubError {
  return error.with({ callId, traceId: trace.traceId })
}
