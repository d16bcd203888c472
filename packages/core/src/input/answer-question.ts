import { HubError, type JsonObject } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'
import type { CallQueue } from '../call/call-queue.js'
import type { CallRecord, NewCall } from '../call/call-record.js'
import type { Clock } from '../clock.js'
import { agentOf, type HubConfig, policyOf } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'
import { nextAttempt } from '../run/next-attempt.js'
import { isAnswered, type Question, takeResponses } from './question.js'

/** What answering works with. */
export interface AnswerPorts {
  readonly config: HubConfig
  readonly clock: Clock
  readonly log: CallLog
  readonly queue: CallQueue
  /** The hub that the call's end is told to from now on. */
  readonly hubId: string
  notice(call: NewCall | null, reason: string): void
}

/** What became of answers. */
export type Answering =
  /** Something is still to be answered. */
  | { readonly kind: 'incomplete'; readonly question: Question }
  /** The call is in its agent's queue again. */
  | { readonly kind: 'queued' }
  /** The next attempt is open: this hub goes on with the call. */
  | { readonly kind: 'direct'; readonly call: OpenedCall }
  /** The call waits for nothing: it was answered, cancelled or ended meanwhile. */
  | { readonly kind: 'not-asked' }

/**
 * Gives a call the answers of its caller. With the last one it goes on: the answers, and that it goes on, are one step, so two who
 * answer at the same time never start it twice.
 */
export async function answerQuestion(call: CallRecord, responses: JsonObject, ports: AnswerPorts): Promise<Answering> {
  if (call.state !== 'awaiting_input' || call.question === undefined) return { kind: 'not-asked' }
  const { taken, ...question } = takeResponses(call.question, responses)
  const isComplete = isAnswered(question)
  if (taken.length === 0 && !isComplete) return { kind: 'incomplete', question: call.question }
  const received = { event: 'input_received', data: { answered: taken } } as const
  const { hubId } = ports
  const step = { call, attempt: call.attempt }
  if (!isComplete) {
    const outcome = await ports.log.change({ ...step, events: [received], set: { question, hubId } })
    return outcome.kind === 'changed' ? { kind: 'incomplete', question } : { kind: 'not-asked' }
  }
  if (call.mode === 'queued') return queueAgain({ ...call, question }, received, ports)
  const next = nextAttempt({ ...call, question }, ports)
  const { set, ...opening } = next.opening
  const events = [received, next.started]
  const outcome = await ports.log.change({ ...step, events, ...opening, set: { ...set, question, hubId } })
  return outcome.kind === 'changed' ? { kind: 'direct', call: { ...next.open(), hubId } } : { kind: 'not-asked' }
}

async function queueAgain(
  call: CallRecord & { readonly question: Question },
  received: { readonly event: 'input_received'; readonly data: JsonObject },
  { config, clock, log, queue, hubId, notice }: AnswerPorts,
): Promise<Answering> {
  const agent = agentOf(config, call.agent)
  const queueDeadlineAtMs = clock.now() + (agent === undefined ? 0 : policyOf(agent, call.tool).queueWaitMs)
  const outcome = await log.change({
    call,
    attempt: call.attempt,
    events: [received, { event: 'accepted', data: {} }],
    set: { question: call.question, hubId, queueDeadlineAtMs },
  })
  if (outcome.kind !== 'changed') return { kind: 'not-asked' }
  try {
    await queue.add(call)
  } catch (thrown) {
    // As at admission: a sweep adds the job that is missing now.
    notice(call, `the job was not added: ${HubError.from(thrown).message}`)
  }
  return { kind: 'queued' }
}
