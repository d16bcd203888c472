import { HubError, type JsonObject } from '@synchub/protocol'
import type { CallLog, ChangeOutcome, EventDraft } from '../call/call-log.js'
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
 * answer at the same time never start it twice. Nor does one of them undo what the other has answered: it reads the round anew.
 */
export async function answerQuestion(call: CallRecord, responses: JsonObject, ports: AnswerPorts): Promise<Answering> {
  let asked: CallRecord | null = call
  while (asked?.state === 'awaiting_input' && asked.question !== undefined) {
    // The same names may be asked in the next round, for something else.
    if (asked.question.askedAtMs !== call.question?.askedAtMs) break
    const answering = await answerRound({ ...asked, question: asked.question }, responses, ports)
    if (answering !== 'stale') return answering
    asked = await ports.log.find(call.callId)
  }
  return { kind: 'not-asked' }
}

type AskedCall = CallRecord & { readonly question: Question }

async function answerRound(call: AskedCall, responses: JsonObject, ports: AnswerPorts): Promise<Answering | 'stale'> {
  const { taken, ...question } = takeResponses(call.question, responses)
  const isComplete = isAnswered(question)
  if (taken.length === 0 && !isComplete) return { kind: 'incomplete', question: call.question }
  const received = { event: 'input_received', data: { answered: taken } } as const
  const { hubId } = ports
  const step = { call, attempt: call.attempt, ticket: call.question.ticket }
  if (!isComplete) {
    const outcome = await ports.log.change({ ...step, events: [received], set: { question, hubId } })
    return changedTo({ kind: 'incomplete', question }, outcome)
  }
  if (call.mode === 'queued') return queueAgain(step, { question, received }, ports)
  const next = nextAttempt({ ...call, question }, ports)
  const { set, ...opening } = next.opening
  const events = [received, next.started]
  const outcome = await ports.log.change({ ...step, events, ...opening, set: { ...set, question, hubId } })
  return changedTo({ kind: 'direct', call: { ...next.open(), hubId } }, outcome)
}

function changedTo(answering: Answering, { kind }: ChangeOutcome): Answering | 'stale' {
  if (kind === 'changed') return answering
  return kind === 'stale' ? kind : { kind: 'not-asked' }
}

async function queueAgain(
  step: { readonly call: AskedCall; readonly attempt: number; readonly ticket: string },
  { question, received }: { readonly question: Question; readonly received: EventDraft<'input_received'> },
  { config, clock, log, queue, hubId, notice }: AnswerPorts,
): Promise<Answering | 'stale'> {
  const { call } = step
  const agent = agentOf(config, call.agent)
  const queueDeadlineAtMs = clock.now() + (agent === undefined ? 0 : policyOf(agent, call.tool).queueWaitMs)
  const outcome = await log.change({
    ...step,
    events: [received, { event: 'accepted', data: {} }],
    set: { question, hubId, queueDeadlineAtMs },
  })
  if (outcome.kind !== 'changed') return changedTo({ kind: 'queued' }, outcome)
  try {
    await queue.add(call)
  } catch (thrown) {
    // As at admission: a sweep adds the job that is missing now.
    notice(call, `the job was not added: ${HubError.from(thrown).message}`)
  }
  return { kind: 'queued' }
}
