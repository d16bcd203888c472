import { HubError, isOpenState } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'
import type { CallQueue } from '../call/call-queue.js'
import type { CallRecord } from '../call/call-record.js'
import { type CancelBroadcast, cancelCall } from '../call/cancel-call.js'
import type { Clock } from '../clock.js'
import { endingOfError } from '../completion/ending.js'
import { agentOf, type HubConfig, policyOf } from '../config/hub-config.js'
import { isDeadLetter } from '../dead-letter/dead-letter.js'
import { orphanReason } from '../delegation/orphan.js'
import type { IdempotencyClaims } from '../idempotency/claims.js'
import { INPUT_WAIT_MS } from '../input/question.js'
import { endingOfWait, queueDeadlineOf } from '../run/queue-wait.js'

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
  /** It has ended; `isDeadLetter` where a person has to look at it. */
  { readonly kind: 'forget'; readonly isDeadLetter?: boolean } | { readonly kind: 'look-again'; readonly atMs: number }

const LOOK_AGAIN_MS = 5000
/** Time that a run may need to record its end after its longest attempt. */
const LOST_RUN_MARGIN_MS = 10_000

/**
 * Looks at one open call and closes the seams that a crash may have left (design section 6): a queued call without a job, a
 * queued call that waited too long, a direct call whose hub is gone, a call that its parent left behind. Every change names the attempt that was seen, so a run
 * that begins meanwhile is never touched.
 */
export async function sweepCall(callId: string, ports: SweepPorts): Promise<SweepResult> {
  const call = await ports.log.find(callId)
  if (call === null) return { kind: 'forget' }
  if (!isOpenState(call.state)) return { kind: 'forget', isDeadLetter: isDeadLetter(call) }
  if (call.parentCallId !== undefined && (await cancelOrphan(call, call.parentCallId, ports))) return { kind: 'forget' }
  const now = ports.clock.now()
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
async function extendKey(call: CallRecord, nowMs: number, { claims, config }: SweepPorts): Promise<void> {
  const { idempotency, trace, callId, createdAtMs } = call
  if (idempotency === undefined || nowMs < createdAtMs + config.idempotency.rememberMs / 2) return
  await claims.extend(trace, idempotency.keyDigest, callId)
}

/** Whoever ended the parent ends its children too, unless it died between the two. */
async function cancelOrphan(call: CallRecord, parentCallId: string, ports: SweepPorts): Promise<boolean> {
  const parent = await ports.log.find(parentCallId)
  const reason = parent === null ? undefined : orphanReason(call, parent)
  if (reason === undefined) return false
  await cancelCall(call, reason, ports)
  return true
}

async function failOverdue(call: CallRecord, { log, queue, clock }: SweepPorts): Promise<SweepResult> {
  await log.change({ call, attempt: call.attempt, events: [endingOfWait(call, clock.now())] })
  await queue.remove(call)
  return { kind: 'forget' }
}

/** Nobody works on a call whose caller is asked; it does not wait for ever. */
async function sweepQuestion(call: CallRecord, { log, clock }: SweepPorts): Promise<SweepResult> {
  const { callId, trace, attempt } = call
  const now = clock.now()
  const lastAtMs = (call.question?.askedAtMs ?? call.createdAtMs) + INPUT_WAIT_MS
  if (now < lastAtMs) return { kind: 'look-again', atMs: Math.min(now + LOOK_AGAIN_MS, lastAtMs) }
  const reason = `nobody has answered what ${call.agent} asked`
  const place = { callId, traceId: trace.traceId, nextStep: 'Send a new call if the work is still wanted.' }
  const error = new HubError('DEADLINE_EXCEEDED', reason, place)
  await log.change({ call, attempt, events: [endingOfError('failed', error, call)] })
  return { kind: 'forget' }
}

async function sweepDirect(call: CallRecord, ports: SweepPorts): Promise<SweepResult> {
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
  await ports.log.change({ call, attempt, events: [endingOfError('unknown', error, call)] })
  return { kind: 'forget' }
}
