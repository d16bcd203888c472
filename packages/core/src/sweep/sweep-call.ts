import { HubError, isOpenState } from '@synchub/protocol'
import type { CallChange, CallLog } from '../call/call-log.js'
import type { CallQueue } from '../call/call-queue.js'
import type { CallOutline } from '../call/call-record.js'
import { type CancelBroadcast, cancelCall } from '../call/cancel-call.js'
import type { Clock } from '../clock.js'
import { endingOfError } from '../completion/ending.js'
import { agentOf, type HubConfig, policyOf } from '../config/hub-config.js'
import { isDeadLetter } from '../dead-letter/dead-letter.js'
import { orphanReason } from '../delegation/orphan.js'
import type { IdempotencyClaims } from '../idempotency/claims.js'
import { INPUT_WAIT_MS } from '../input/question.js'
import { endingOfWait, queueDeadlineOf } from '../run/queue-wait.js'
import type { TraceRef } from '../trace/trace-ref.js'

/** What a sweep works with. */
export interface SweepPorts {
  readonly config: HubConfig
  readonly clock: Clock
  readonly log: CallLog
  readonly queue: CallQueue
  readonly claims: Pick<IdempotencyClaims, 'extend'>
  readonly broadcast: CancelBroadcast
  isHubPresent(hubId: string): Promise<boolean>
}

/** What the sweep wants next for a call. */
export type SweepResult =
  /** Nothing: it has just been ended, with all that follows an end, or was never recorded. */
  | { readonly kind: 'done' }
  /** It has ended, and whoever ended it has died before it could do what follows; `isDeadLetter` where a person has to look at it. */
  | { readonly kind: 'close'; readonly trace: TraceRef; readonly isDeadLetter: boolean }
  | { readonly kind: 'look-again'; readonly atMs: number }

const LOOK_AGAIN_MS = 5000
/** Time that a run may need to record its end after its longest attempt. */
const LOST_RUN_MARGIN_MS = 10_000

/**
 * Looks at one open call and closes the seams that a crash may have left (design section 6): a queued call without a job, a
 * queued call that waited too long, a direct call whose hub is gone, a call that its parent left behind. Every change names the attempt that was seen, so a run
 * that begins meanwhile is never touched.
 */
export async function sweepCall(callId: string, ports: SweepPorts): Promise<SweepResult> {
  const now = ports.clock.now()
  const call = await ports.log.findOutline(callId)
  // Announced and not recorded. Its process may only have been paused, and must not record it later behind the back of the sweep.
  if (call === null) return (await ports.log.abandon(callId)) ? { kind: 'done' } : { kind: 'look-again', atMs: now }
  if (!isOpenState(call.state)) return { kind: 'close', trace: call.trace, isDeadLetter: isDeadLetter(call) }
  if (call.parentCallId !== undefined && (await cancelOrphan(call, call.parentCallId, ports))) return { kind: 'done' }
  await extendKey(call, now, ports)
  if (call.state === 'awaiting_input') return sweepQuestion(call, ports)
  if (call.mode === 'direct') return sweepDirect(call, ports)
  const deadlineMs = queueDeadlineOf(call)
  if (call.state === 'queued' && now >= deadlineMs) return failOverdue(call, ports)
  if (!(await ports.queue.has(call))) await ports.queue.add(call)
  const atMs = call.state === 'queued' ? Math.min(now + LOOK_AGAIN_MS, deadlineMs) : now + LOOK_AGAIN_MS
  return { kind: 'look-again', atMs }
}

/** A call that goes on when half of the time is over for which keys are remembered: its own must not be forgotten before its end. */
async function extendKey(call: CallOutline, nowMs: number, { claims, config }: SweepPorts): Promise<void> {
  const { idempotency, trace, callId, createdAtMs } = call
  if (idempotency === undefined || nowMs < createdAtMs + config.idempotency.rememberMs / 2) return
  await claims.extend(trace, idempotency.keyDigest, callId)
}

/** Whoever ended the parent ends its children too, unless it died between the two. */
async function cancelOrphan(call: CallOutline, parentCallId: string, ports: SweepPorts): Promise<boolean> {
  const parent = await ports.log.findOutline(parentCallId)
  const reason = parent === null ? undefined : orphanReason(call, parent)
  if (reason === undefined) return false
  return (await cancelCall(call, reason, ports)).cancelled
}

async function failOverdue(call: CallOutline, ports: SweepPorts): Promise<SweepResult> {
  const result = await end(call, endingOfWait(call, ports.clock.now()), ports)
  // One that was started meanwhile goes on, and keeps its job.
  if (result.kind === 'done') await ports.queue.remove(call)
  return result
}

/** Ends a call as it was seen. One that a run or another sweep has changed meanwhile is looked at once more: it may go on. */
async function end(
  call: CallOutline,
  ending: CallChange['events'][number],
  { log, clock }: SweepPorts,
): Promise<SweepResult> {
  const outcome = await log.change({ call, attempt: call.attempt, events: [ending] })
  return outcome.kind === 'changed' ? { kind: 'done' } : { kind: 'look-again', atMs: clock.now() + LOOK_AGAIN_MS }
}

/** Nobody works on a call whose caller is asked; it does not wait for ever. */
async function sweepQuestion(call: CallOutline, ports: SweepPorts): Promise<SweepResult> {
  const { callId, trace } = call
  const now = ports.clock.now()
  const lastAtMs = (call.question?.askedAtMs ?? call.createdAtMs) + INPUT_WAIT_MS
  if (now < lastAtMs) return { kind: 'look-again', atMs: Math.min(now + LOOK_AGAIN_MS, lastAtMs) }
  const reason = `nobody has answered what ${call.agent} asked`
  const place = { callId, traceId: trace.traceId, nextStep: 'Send a new call if the work is still wanted.' }
  const error = new HubError('DEADLINE_EXCEEDED', reason, place)
  return end(call, endingOfError('failed', error, call), ports)
}

async function sweepDirect(call: CallOutline, ports: SweepPorts): Promise<SweepResult> {
  const { callId, trace, attempt } = call
  const now = ports.clock.now()
  const agent = agentOf(ports.config, call.agent)
  const policy = agent === undefined ? undefined : policyOf(agent, call.tool)
  // A run that its hub lost, in a long outage of the store say, is told by its age: no attempt may take that long.
  const lastEndMs = (call.startedAtMs ?? call.createdAtMs) + (policy?.maxDurationMs ?? 0) + LOST_RUN_MARGIN_MS
  const mayStillRun = now < lastEndMs && (await ports.isHubPresent(call.hubId))
  if (mayStillRun) return { kind: 'look-again', atMs: now + LOOK_AGAIN_MS }
  if (policy?.safeToRepeat === true) {
    const set = { mode: 'queued', queueDeadlineAtMs: now + policy.queueWaitMs } as const
    const outcome = await ports.log.change({ call, attempt, events: [{ event: 'handed_back', data: {} }], set })
    if (outcome.kind === 'changed') await ports.queue.add(call)
    return { kind: 'look-again', atMs: now + LOOK_AGAIN_MS }
  }
  const reason = `the hub that ran the call is gone or has lost it, and ${call.agent} may or may not have acted`
  const error = new HubError('OUTCOME_UNKNOWN', reason, { callId, traceId: trace.traceId })
  return end(call, endingOfError('unknown', error, call), ports)
}
