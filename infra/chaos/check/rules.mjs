import { isOpenState, isTerminalEvent } from '../../../packages/protocol/dist/index.js'
import { FLEET_TOOLS } from '../fleet/tools.mjs'
import { groupBy } from '../groups.mjs'

/**
 * A rule that was broken.
 *
 * @typedef {object} Breach
 * @property {'lost' | 'doubled' | 'other'} kind
 * @property {string} rule
 * @property {string} detail
 * @property {string | undefined} [callId]
 * @property {string | undefined} [traceId]
 */

/**
 * @typedef {object} Evidence
 * @property {readonly import('../load/journal.mjs').Entry[]} entries
 * @property {import('./stored.mjs').Stored} stored
 * @property {readonly import('../agents/ledger.mjs').Execution[]} executions
 */

/** What a caller may be told while processes are killed. */
const EXPECTED_CODES = new Set([
  'AGENT_UNAVAILABLE',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'HUB_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
])

/** How much of its patience a caller may have left when its wait is ended: clocks of two processes, and the way between them. */
const ENDED_EARLY_MS = 500

const UNSAFE = new Set(FLEET_TOOLS.filter(({ safeToRepeat }) => !safeToRepeat).map(({ name }) => name))

/**
 * Holds what was seen against what SyncHub promises.
 *
 * @param {Evidence} evidence
 * @returns {Breach[]}
 */
export function findBreaches({ entries, stored, executions }) {
  return [
    ...checkCalls(stored),
    ...checkLogs(stored),
    ...entries.flatMap((entry) => [...checkCaller(entry, stored), ...checkSight(entry, stored)]),
    ...checkExecutions(executions, stored),
    ...stored.leftovers.map((key) => other('nothing is left behind', key)),
  ]
}

/** @param {import('./stored.mjs').Stored} stored @returns {Breach[]} */
export function checkCalls({ calls, logs }) {
  return [...calls.values()].flatMap(({ callId, traceId, state, endId }) => {
    const place = { callId, traceId }
    const own = (logs.get(traceId) ?? []).filter((event) => event.callId === callId)
    const endings = own.filter(({ event }) => isTerminalEvent(event))
    const rule = 'a recorded call has exactly one terminal event, and nothing after it but what became known later'
    if (isOpenState(state)) return [{ kind: 'lost', rule, detail: `it is still ${state}`, ...place }]
    if (endings.length === 0) return [{ kind: 'lost', rule, detail: `it is ${state} without one`, ...place }]
    if (endings.length > 1) return [{ kind: 'doubled', rule, detail: describe(own), ...place }]
    const later = own.slice(own.findIndex(({ id }) => id === endings[0]?.id) + 1)
    if (later.length > 1 || later.some(({ event }) => event !== 'resolved')) return [other(rule, describe(own), place)]
    if (endings[0]?.id !== endId) return [other(rule, `the record names ${endId}`, place)]
    return []
  })
}

/** @param {import('./stored.mjs').Stored} stored @returns {Breach[]} */
export function checkLogs({ logs }) {
  return [...logs].flatMap(([traceId, events]) => {
    const gap = events.findIndex(({ seq, data }, at) => seq !== at + 1 || data.seq !== seq)
    return gap === -1
      ? []
      : [other('events are numbered without a hole', `at place ${gap + 1}: ${describe(events)}`, { traceId })]
  })
}

/** What a caller was told holds, and came in time. @param {import('../load/journal.mjs').Entry} entry @param {import('./stored.mjs').Stored} stored @returns {Breach[]} */
function checkCaller({ order, acknowledged, told, sight, waitedMs, boundMs, fault }, { calls }) {
  const { number, traceId, deed, hub } = order
  const who = `order ${number}, which ${deed} at hub ${hub}`
  /** @type {Breach[]} */
  const breaches = []
  for (const callId of acknowledged) {
    if (!calls.has(callId))
      breaches.push({ kind: 'lost', rule: 'an acknowledged call exists', detail: who, callId, traceId })
  }
  for (const { callId, code, reason, answeredOrder, leftMs } of told) {
    const call = callId === undefined ? undefined : calls.get(callId)
    const place = { callId, traceId }
    if (code !== undefined && !EXPECTED_CODES.has(code))
      breaches.push(other('a failure has a reason that a kill explains', `${who}, was told ${code}: ${reason}`, place))
    // No tool of the fleet asks its caller anything, so no call ends by a deadline: only the caller's wait can.
    if (code === 'DEADLINE_EXCEEDED' && leftMs > ENDED_EARLY_MS)
      breaches.push(
        other(
          'no wait ends before its time is over',
          `${who}, was told ${code} ${Math.round(leftMs)} ms before: ${reason}`,
          place,
        ),
      )
    if (code === undefined && answeredOrder !== number)
      breaches.push(
        other('an answer is that of its own call', `${who}, got that of ${JSON.stringify(answeredOrder)}`, place),
      )
    if (call !== undefined && !agrees(code, call.state))
      breaches.push(
        other(
          'what a caller is told is what is recorded',
          `${who}, was told ${code ?? 'a result'} of a call that is ${call.state}`,
          place,
        ),
      )
  }
  const kept = new Set(
    [...calls.values()].filter((call) => call.order === number && counts(call.state)).map(({ callId }) => callId),
  )
  if (kept.size > 1)
    breaches.push({
      kind: 'doubled',
      rule: 'one key makes one call',
      detail: `${who}: ${[...kept].join(', ')}`,
      traceId,
    })
  if (waitedMs > boundMs)
    breaches.push(
      other('no caller waits beyond its bound', `${who}, waited ${Math.round(waitedMs)} of ${boundMs} ms`, { traceId }),
    )
  if (fault !== undefined)
    breaches.push(
      other(
        'a caller meets no fault',
        `${who}${describeSight(sight)}: ${fault instanceof Error ? fault.stack : JSON.stringify(fault)}`,
        {
          traceId,
          callId: [...acknowledged][0],
        },
      ),
    )
  return breaches
}

/** @param {import('../load/journal.mjs').Sight | undefined} sight */
function describeSight(sight) {
  if (sight === undefined) return ''
  const { ids, isWhole, pauses } = sight
  const waited = pauses.length === 0 ? '' : `, and paused for ${pauses.join(', ')}`
  return ` and saw ${ids.length} events${isWhole ? ' and the end' : ', no end'}${waited}`
}

/** A refused call leaves its key free, and so does one with which nothing was done. @param {string} state */
function counts(state) {
  return state !== 'refused' && state !== 'failed'
}

/** @param {string | undefined} code @param {string} state */
function agrees(code, state) {
  if (code === undefined) return state === 'completed'
  if (code === 'CANCELLED') return state === 'cancelled'
  if (code === 'OUTCOME_UNKNOWN') return state === 'unknown'
  // A wait that ended, or a hub that is away, says nothing of the call's end.
  return code === 'DEADLINE_EXCEEDED' || code === 'HUB_UNAVAILABLE' || state === 'failed' || state === 'refused'
}

/** @param {import('../load/journal.mjs').Entry} entry @param {import('./stored.mjs').Stored} stored @returns {Breach[]} */
function checkSight({ order, sight }, { logs }) {
  if (sight === undefined) return []
  const { traceId } = order
  const log = logs.get(traceId) ?? []
  const rule = 'a watcher sees each event once, in order'
  const seen = sight.ids.join(' ')
  if (new Set(sight.ids).size !== sight.ids.length) return [{ kind: 'doubled', rule, detail: seen, traceId }]
  if (sight.resets > 0) return [other(rule, 'it was reset', { traceId })]
  const isStart = sight.ids.every((id, at) => log[at]?.id === id)
  if (isStart && (sight.isWhole ? sight.ids.length > 0 : true)) return []
  return [{ kind: 'lost', rule, detail: `saw ${seen} of ${describe(log)}`, traceId }]
}

/** @param {readonly import('../agents/ledger.mjs').Execution[]} executions @param {import('./stored.mjs').Stored} stored @returns {Breach[]} */
function checkExecutions(executions, { calls }) {
  const byOrder = groupBy(executions, ({ order }) => order)
  return [...byOrder].flatMap(([order, all]) => checkOrder(order, all, calls))
}

/** @param {number} order @param {readonly import('../agents/ledger.mjs').Execution[]} all @param {import('./stored.mjs').Stored['calls']} calls @returns {Breach[]} */
function checkOrder(order, all, calls) {
  const [first] = all
  if (first === undefined) return []
  const place = { callId: first.callId, traceId: calls.get(first.callId)?.traceId }
  const runs = all.map(({ tool, callId, attempt }) => `${tool} for ${callId}, attempt ${attempt}`)
  const detail = `order ${order}: ${runs.join('; ')}`
  if (UNSAFE.has(first.tool) && all.length > 1)
    return [{ kind: 'doubled', rule: 'a tool that is not safe to repeat runs once', detail, ...place }]
  if (new Set(all.map(({ callId }) => callId)).size > 1)
    return [{ kind: 'doubled', rule: 'a repeat comes under the same callId', detail, ...place }]
  if (!calls.has(first.callId))
    return [{ kind: 'lost', rule: 'an agent is asked only for calls that are recorded', detail, ...place }]
  return []
}

/** @param {readonly import('./stored.mjs').StoredEvent[]} events */
function describe(events) {
  return events.map(({ id, event }) => `${id} ${event}`).join(', ')
}

/** @param {string} rule @param {string} detail @param {{ callId?: string | undefined, traceId?: string | undefined }} [place] @returns {Breach} */
function other(rule, detail, place = {}) {
  return { kind: 'other', rule, detail, ...place }
}
