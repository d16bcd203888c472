import { setTimeout as delay } from 'node:timers/promises'
import { HubError } from '../../../packages/protocol/dist/index.js'
import { noteTold, openEntry } from './journal.mjs'
import { askOnce } from './single-request.mjs'
import { watchToEnd } from './watcher.mjs'

/** How long a caller is ready to wait for the end of its call. */
const PATIENCE_MS = 45_000
/** What a caller's own timers may come late by, on a machine that is busy with starting processes. */
const SLACK_MS = 3000
/** Pause before a call is sent again of which the hub says that nothing was done. */
const AGAIN_MS = 300

/**
 * Does what an order says, as a caller that never gives up before its patience ends.
 *
 * @param {import('./orders.mjs').Order} order
 * @param {readonly import('../../../packages/client/dist/index.js').Client[]} clients one for each hub
 * @returns {Promise<import('./journal.mjs').Entry>}
 */
export async function carryOut(order, clients) {
  const entry = openEntry(order)
  const ask = { order, entry, here: at(clients, order.hub), there: at(clients, 1 - order.hub) }
  try {
    await DEED_OF[order.deed](ask)
  } catch (thrown) {
    entry.fault = thrown
  }
  return entry
}

/**
 * @typedef {object} Ask
 * @property {import('./orders.mjs').Order} order
 * @property {import('./journal.mjs').Entry} entry
 * @property {import('../../../packages/client/dist/index.js').Client} here
 * @property {import('../../../packages/client/dist/index.js').Client} there
 */

/** @type {Record<import('./orders.mjs').Deed, (ask: Ask) => Promise<unknown>>} */
const DEED_OF = {
  waits: (ask) => call(ask, ask.here),
  'asks twice': (ask) => Promise.all([call(ask, ask.here), call(ask, ask.there)]),
  async cancels(ask) {
    await withStarted(ask, async ({ callId }, signal) => {
      await delay(ask.order.pauseMs)
      await untilAnswered(() => ask.there.cancel(callId, { signal }), signal)
    })
  },
  async watches(ask) {
    await withStarted(ask, async (started, signal) => {
      ask.entry.sight = await watchToEnd(ask.there, started.traceId, signal)
    })
  },
  async 'breaks off'(ask) {
    await askOnce(ask, { key: keyOf(ask.order), breakOffMs: ask.order.pauseMs, timeoutMs: PATIENCE_MS })
    await call(ask, ask.there)
  },
  'asks once': (ask) => timed(ask.entry, 20_000, () => askOnce(ask, { timeoutMs: 20_000 })),
}

/** Calls and waits; what the hub says was not done is sent again under the same key. @param {Ask} ask @param {Ask['here']} client */
async function call({ order, entry }, client) {
  await timed(entry, PATIENCE_MS, async () => {
    const givenUpAtMs = performance.now() + PATIENCE_MS
    for (;;) {
      const told = await tell(entry, () =>
        client.call(order.tool, argumentsOf(order), {
          traceId: order.traceId,
          idempotencyKey: keyOf(order),
          timeoutMs: Math.max(1, givenUpAtMs - performance.now()),
          onAccepted: ({ callId }) => void entry.acknowledged.add(callId),
        }),
      )
      if (told.code !== 'AGENT_UNAVAILABLE' || performance.now() + AGAIN_MS > givenUpAtMs) return
      await delay(AGAIN_MS)
    }
  })
}

/**
 * Starts a call, does something, and waits for the call's end.
 *
 * @param {Ask} ask
 * @param {(started: { callId: string, traceId: string }, signal: AbortSignal) => Promise<void>} act
 */
async function withStarted({ order, entry, here }, act) {
  await timed(entry, PATIENCE_MS, async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const started = await orTold(entry, () =>
      here.start(order.tool, argumentsOf(order), { traceId: order.traceId, idempotencyKey: keyOf(order), signal }),
    )
    if (started === undefined) return
    entry.acknowledged.add(started.callId)
    await act(started, signal)
    // A request under a signal that has aborted would look like one that the hub left without an answer.
    if (signal.aborted) throw new Error(`its ${PATIENCE_MS} ms were over before it could ask for the end of its call`)
    await tell(entry, () => here.wait(started, { signal }))
  })
}

/**
 * A short call may have ended by the time it is answered, and an agent's absence refuses one: there is nothing to wait for then.
 *
 * @template T
 * @param {import('./journal.mjs').Entry} entry
 * @param {() => Promise<T>} ask
 */
async function orTold(entry, ask) {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown
    note(entry, thrown)
    return undefined
  }
}

/**
 * Notes how a call ended for its caller.
 *
 * @param {import('./journal.mjs').Entry} entry
 * @param {() => Promise<import('../../../packages/protocol/dist/index.js').CallResult>} ask
 */
async function tell(entry, ask) {
  try {
    const { structuredContent, _meta } = await ask()
    const told = {
      callId: _meta.callId,
      code: undefined,
      answeredOrder: /** @type {{ order?: unknown } | undefined} */ (structuredContent)?.order,
    }
    entry.acknowledged.add(_meta.callId)
    noteTold(entry, told)
    return told
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown
    return note(entry, thrown)
  }
}

/** @param {import('./journal.mjs').Entry} entry @param {HubError} error */
function note(entry, { code, reason, details }) {
  const { callId } = details
  const told = { callId, code, reason }
  if (callId !== undefined) entry.acknowledged.add(callId)
  noteTold(entry, told)
  return told
}

/** A hub that is away is asked until it is back. @param {() => Promise<unknown>} ask @param {AbortSignal} signal */
async function untilAnswered(ask, signal) {
  for (;;) {
    try {
      return await ask()
    } catch (thrown) {
      const isAway = thrown instanceof HubError && thrown.code === 'HUB_UNAVAILABLE'
      if (!isAway) throw thrown
      await delay(AGAIN_MS, undefined, { signal })
    }
  }
}

/** @param {import('./journal.mjs').Entry} entry @param {number} patienceMs @param {() => Promise<unknown>} wait */
async function timed(entry, patienceMs, wait) {
  const beganAtMs = performance.now()
  entry.patienceEndsAtMs = beganAtMs + patienceMs
  try {
    await wait()
  } finally {
    entry.waitedMs = Math.max(entry.waitedMs, performance.now() - beganAtMs)
    entry.boundMs = patienceMs + SLACK_MS
  }
}

/** @param {import('./orders.mjs').Order} order */
function argumentsOf({ number, steps, stepMs }) {
  return { order: number, steps, stepMs }
}

/** @param {import('./orders.mjs').Order} order */
function keyOf({ number }) {
  return `order-${number}`
}

/** @template T @param {readonly T[]} items @param {number} index */
function at(items, index) {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}
