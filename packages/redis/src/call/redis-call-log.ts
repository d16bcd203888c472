import { randomInt } from 'node:crypto'
import {
  type CallChange,
  type CallLog,
  type CallRecord,
  type ChangeOutcome,
  type Clock,
  type EventDraft,
  isDeadLetter,
  type NewCall,
  type TraceRef,
  toInstant,
  transitionOf,
} from '@synchub/core'
import {
  type CallState,
  type EventName,
  HubError,
  isOpenState,
  type JsonObject,
  shownStateOf,
  TRACE_STATE_ORDER,
} from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import type { CallIndex } from '../index/call-index.js'
import { noticeName } from '../notice/change-notice.js'
import type { AgentPaces } from '../pace/agent-paces.js'
import { sequenceOf } from '../trace/log-entry.js'
import {
  CALL_FIELDS,
  decodeCall,
  decodeOutline,
  encodeNewCall,
  OUTLINE_FIELDS,
  optional,
  readResolution,
} from './call-fields.js'
import { decodeOutcome, decodeRun, encodeChange, endCodeOf } from './change-step.js'
import { encodeEvents, inlineResult } from './event-body.js'

const STATE_ORDER = TRACE_STATE_ORDER.join(' ')

/** How long a slot stays marked that no call may take: longer than any write can be under way. */
const WITHDRAWN_MS = 86_400_000

/** How many tags there are: they have 32 bits. */
const TAGS = 2 ** 32

/**
 * The log of calls over Redis: every step is one Lua script on the keys of one trace.
 * @param paces - told of runs that have ended, where they are counted
 */
export function createCallLog(link: RedisLink, index: CallIndex, clock: Clock, paces?: AgentPaces): CallLog {
  // Marks the entries of one step: a log that was lost and begun anew never has the ids of the old one (invariant 2). Not one
  // for all of a process, which may outlive what Redis loses, and would give the same numbers again.
  let tag = randomInt(TAGS)
  let stamped = { atMs: Number.NaN, at: '' }
  const stamp = () => {
    // Read once: two readings could differ, and then a later step would seem to run backwards.
    const now = clock.now()
    // A busy process makes several steps in a millisecond, and to write a date costs more than to compare it.
    if (now !== stamped.atMs) stamped = { atMs: now, at: toInstant(now) }
    tag = (tag + 1) % TAGS
    return [now, stamped.at, tag]
  }

  const notice = (trace: TraceRef) => [link.keys.noticeChannel(trace.tenant), noticeName(trace), STATE_ORDER]

  const record: CallLog['record'] = async (call, events, maxTraceBytes) => {
    const keys = link.keys.trace(call.trace)
    const state = stateAfter(events)
    const fields = encodeNewCall(call, state)
    const ended = !isOpenState(state)
    const { pairs } = encodeEvents(call, events)
    const args = [
      ...stamp(),
      keys.channel,
      call.callId,
      state,
      ended ? '1' : '0',
      ...notice(call.trace),
      maxTraceBytes ?? '',
      fields.length / 2,
      ...fields,
      ...pairs,
    ]
    // Not in one write with the record: a Redis that hangs would record it once it is back, long after the caller was told.
    await index.announce(call)
    const own = [keys.call(call.callId), keys.trace, keys.log, keys.calls]
    const { parentCallId } = call
    const isKeyed = call.idempotency?.recordByMs !== undefined
    const [recordCall, recordChild] = isKeyed
      ? [SCRIPTS.recordKeyedCall, SCRIPTS.recordKeyedChild]
      : [SCRIPTS.recordCall, SCRIPTS.recordChild]
    let outcome: unknown
    try {
      outcome =
        parentCallId === undefined
          ? await link.run(recordCall, own, args)
          : await link.run(recordChild, [...own, keys.call(parentCallId), keys.children(parentCallId)], args)
    } catch (thrown) {
      // The step is under way: Redis may have made it, or may make it once it goes on.
      if (thrown instanceof HubError && thrown.code === 'HUB_UNAVAILABLE') return 'unanswered'
      throw thrown
    }
    if (outcome === 'voided' || outcome === 'orphaned' || outcome === 'full') {
      await index.abandon(call.callId, call.trace, clock.now())
      return outcome
    }
    // One that is refused has ended with its record.
    if (ended) await index.close(call.callId, call.trace, clock.now(), false)
    if (isMilestone(String(outcome), events.length)) await index.noteLength(call.trace)
    return 'recorded'
  }

  const change = async (step: CallChange): Promise<ChangeOutcome> => {
    const [first] = step.events
    const last = step.events.at(-1)
    if (first === undefined || last === undefined) throw new Error('a change needs at least one event')
    const { call } = step
    const keys = link.keys.trace(call.trace)
    const { to } = transitionOf(last.event)
    const ending = isOpenState(to) ? undefined : shownStateOf({ state: to, isError: last.data.isError === true })
    const { pairs, largeResult } = encodeEvents(call, step.events)
    const fields = encodeChange(step)
    const progress = last.event === 'progress' ? String(last.data.progress) : ''
    const reply = await link.run(
      ending === undefined ? SCRIPTS.changeCall : SCRIPTS.endCall,
      [keys.call(call.callId), keys.trace, keys.log, keys.result(call.callId)],
      [
        ...stamp(),
        keys.channel,
        step.isAnsweredHere === true ? '' : link.keys.replyChannelPrefix,
        call.callId,
        ` ${transitionOf(first.event).from.join(' ')} `,
        step.attempt === undefined ? '' : `${step.attempt}:${call.fence ?? ''}`,
        step.opensAttempt === true ? '1' : '0',
        to,
        ending ?? '',
        progress,
        largeResult ?? '',
        ...notice(call.trace),
        step.ticket ?? '',
        step.maxProgressBytes ?? '',
        step.set?.fence ?? '',
        fields.length / 2,
        ...fields,
        ...pairs,
      ],
    )
    const outcome = decodeOutcome(reply)
    if (outcome.kind === 'changed' && ending !== undefined) {
      const run = decodeRun(reply)
      if (run !== undefined) paces?.count({ trace: call.trace, ending, ...run })
      const isDead = isDeadLetter({ state: to, mode: call.mode, ...optional('endCode', endCodeOf(last)) })
      await index.close(call.callId, call.trace, clock.now(), isDead)
    }
    if (outcome.kind === 'changed' && isMilestone(outcome.lastEventId, step.events.length))
      await index.noteLength(call.trace)
    return outcome
  }

  const resolve: CallLog['resolve'] = async (call, { by, reason, answer }) => {
    const keys = link.keys.trace(call.trace)
    const late = answer === undefined ? {} : { late: true, resultLink: `/calls/${call.callId}` }
    const {
      pairs: [, body = ''],
    } = encodeEvents(call, [{ event: 'resolved', data: { by, reason, ...late } }])
    // As JSON: UTF-8 alone would lose a lone surrogate.
    const found = [by, JSON.stringify(reason)]
    const reply = await link.run(
      SCRIPTS.resolveCall,
      [keys.call(call.callId), keys.trace, keys.log, keys.result(call.callId)],
      [
        ...[...stamp(), keys.channel, call.callId, ...found, ...notice(call.trace), body],
        answer === undefined ? '' : JSON.stringify(answer),
      ],
    )
    const [kind, ...fields] = reply as string[]
    const resolution = readResolution(fields[0] === undefined ? undefined : Number(fields[0]), fields[1], fields[2])
    return resolution === undefined ? null : { resolution, resolved: kind === 'resolved' }
  }

  const findLateAnswer = async ({ callId, trace, state, resolution }: CallRecord) => {
    if (state !== 'unknown' || resolution === undefined) return null
    const text = await link.ask((client) => client.get(link.keys.trace(trace).result(callId)))
    return text === null ? null : (JSON.parse(text) as JsonObject)
  }

  const isOpen = async (callId: string): Promise<boolean> => {
    const trace = await index.traceOf(callId)
    if (trace === null) return false
    const state = await link.ask((client) => client.hget(link.keys.trace(trace).call(callId), 'state'))
    return state !== null && isOpenState(state as CallState)
  }

  const find = async (callId: string): Promise<CallRecord | null> => {
    const trace = await index.traceOf(callId)
    if (trace === null) return null
    const values = await link.ask((client) => client.hmget(link.keys.trace(trace).call(callId), ...CALL_FIELDS))
    return decodeCall(trace, values)
  }

  const findOutline: CallLog['findOutline'] = async (callId) => {
    const trace = await index.traceOf(callId)
    if (trace === null) return null
    const values = await link.ask((client) => client.hmget(link.keys.trace(trace).call(callId), ...OUTLINE_FIELDS))
    return decodeOutline(trace, values)
  }

  const findEnding = async ({ callId, trace, state }: CallRecord) => {
    if (isOpenState(state)) return null
    const keys = link.keys.trace(trace)
    const id = await link.ask((client) => client.hget(keys.call(callId), 'endId'))
    if (id === null) return null
    const [entry] = await link.ask((client) => client.xrange(keys.log, id, id))
    if (entry === undefined) return null
    const fields = new Map(pairUp(entry[1]))
    const data = JSON.parse(fields.get('d') ?? '{}') as JsonObject
    const large = data.resultLink === undefined ? null : await link.ask((client) => client.get(keys.result(callId)))
    return { event: fields.get('e') as EventName, data: inlineResult(data, large) }
  }

  const findChildren = ({ callId, trace }: Pick<NewCall, 'callId' | 'trace'>) =>
    link.ask((client) => client.smembers(link.keys.trace(trace).children(callId)))

  const withdraw = async ({ callId, trace }: Pick<NewCall, 'callId' | 'trace'>) =>
    (await link.run(SCRIPTS.voidCall, [link.keys.trace(trace).call(callId)], [WITHDRAWN_MS])) === 'voided'

  const abandon: CallLog['abandon'] = async (callId) => {
    const trace = await index.traceOf(callId)
    if (trace !== null && !(await withdraw({ callId, trace }))) return false
    await index.abandon(callId, trace, clock.now())
    return true
  }

  return {
    record,
    withdraw,
    abandon,
    change,
    resolve,
    isOpen,
    find,
    findOutline,
    findChildren,
    findEnding,
    findLateAnswer,
  }
}

/** Steps of this many events are noted, so that a log that grows long is found without counting all of them. */
const MILESTONE_EVENTS = 1024

/** Whether a step has brought its log to a further thousand or so. */
function isMilestone(lastEventId: string, eventCount: number): boolean {
  const seq = sequenceOf(lastEventId)
  return seq !== null && seq % MILESTONE_EVENTS < eventCount
}

function stateAfter(events: readonly EventDraft[]): CallState {
  return events.reduce<CallState>(
    (state, { event }) => (event === 'received' || event === 'resolved' ? state : transitionOf(event).to),
    'received',
  )
}

function pairUp(flat: readonly string[]): [string, string][] {
  const result: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) result.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return result
}
