import {
  type Clock,
  type EndedTrace,
  isDeadLetter,
  type RetentionStore,
  type TraceFacts,
  type TraceRef,
} from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import { unlistDeadLetters } from '../dead-letter/dead-letters.js'
import { decodeTrace, encodeTrace } from '../index/call-index.js'
import { createIndexUpkeep } from '../index/index-upkeep.js'
import { excessOf } from './excess-memory.js'
import { cutTrace, findCut } from './trace-cut.js'
import { readFacts } from './trace-facts.js'

/** Keys that one step removes; the rest of a trace of thousands of calls follows, which nobody finds any more. */
const KEYS_AT_ONCE = 1500
/** What the step answers for a trace that has changed; what is less, for one that is gone. */
const CHANGED = -1
/** How long after its removal a trace is looked for once more: its next call may have been announced before. */
const LOOK_AGAIN_MS = 5000
const LONG_TRACES_AT_ONCE = 100

/** What retention needs of the store. One process at a time uses it. */
export function createRetentionStore(link: RedisLink, clock: Clock): RetentionStore {
  const { keys } = link
  const index = createIndexUpkeep(link)
  const unlisted: { readonly trace: TraceRef; readonly atMs: number }[] = []

  /** A call that was announced before its trace was removed, and recorded after it, has begun a trace that is in no list. */
  const listRevived = async () => {
    const due = unlisted.findIndex(({ atMs }) => atMs > clock.now() - LOOK_AGAIN_MS)
    const traces = unlisted.splice(0, due === -1 ? unlisted.length : due).map(({ trace }) => trace)
    const found = await Promise.all(traces.map((trace) => link.ask((client) => client.exists(keys.trace(trace).trace))))
    const revived = traces.filter((_, at) => found[at] === 1)
    await index.list(revived, clock.now())
  }

  const remove = async (trace: TraceRef, { lastSeq, calls }: TraceFacts) => {
    const own = keys.trace(trace)
    const callIds = calls.map(({ callId }) => callId)
    const rest = callIds.flatMap((callId) => [own.call(callId), own.result(callId), own.children(callId)])
    // Before the trace, which is looked at again after a crash in between: an entry without a trace would stay for ever.
    await index.forget(callIds)
    const step = [String(lastSeq), own.channel, ...rest.slice(0, KEYS_AT_ONCE)]
    const bytes = Number(await link.run(SCRIPTS.removeTrace, [own.trace, own.log, own.calls], step))
    if (bytes < 0) {
      // Not those of a trace that another has removed meanwhile: they would stay for ever.
      if (bytes === CHANGED) await index.restore(callIds, trace)
      return null
    }
    const dead = calls.filter(isDeadLetter).map(({ callId }) => callId)
    await link.ask((client) => Promise.all(unlistDeadLetters(client, keys, trace, dead)))
    for (let at = KEYS_AT_ONCE; at < rest.length; at += KEYS_AT_ONCE) {
      await link.ask((client) => client.unlink(...rest.slice(at, at + KEYS_AT_ONCE)))
    }
    return bytes
  }

  return {
    remove,
    async first(limit) {
      const flat = await link.ask((client) => client.zrange(keys.endedTraces, 0, String(limit - 1), 'WITHSCORES'))
      return toEnded(flat)
    },
    count: () => link.ask((client) => client.zcard(keys.endedTraces)),
    excessBytes: (maxBytes) => link.ask((client) => excessOf(client, maxBytes)),
    inspect: (trace) => readFacts(link, trace),
    async closeKey({ tenant, owner }, { callId, state, keyDigest = '' }, answer) {
      const claim = keys.claim({ tenant, owner }, keyDigest)
      if (answer === 'free') await link.run(SCRIPTS.releaseKey, [claim], [callId])
      else await link.run(SCRIPTS.endKey, [claim], [callId, state])
    },
    async unlist(traces) {
      await index.unlist(traces)
      if (traces.length > 0) await link.ask((client) => client.srem(keys.longTraces, ...traces.map(encodeTrace)))
      unlisted.push(...traces.map((trace) => ({ trace, atMs: clock.now() })))
      await listRevived()
    },
    async move(moves) {
      if (moves.length === 0) return
      const args = moves.flatMap(({ ended, toMs }) => [encodeTrace(ended.trace), ended.orderMs, toMs ?? ''])
      await link.run(SCRIPTS.moveEnded, [keys.endedTraces], args)
    },
    async longTraces() {
      const names = await link.ask((client) => client.srandmember(keys.longTraces, LONG_TRACES_AT_ONCE))
      return names.map(decodeTrace)
    },
    findCut: (trace, maxEvents) => findCut(link, trace, maxEvents),
    cut: (trace, cut) => cutTrace(link, index, trace, cut),
  }
}

function toEnded(flat: readonly string[]): EndedTrace[] {
  const traces: EndedTrace[] = []
  for (let at = 0; at < flat.length; at += 2) {
    traces.push({ trace: decodeTrace(flat[at] ?? ''), orderMs: Number(flat[at + 1]) })
  }
  return traces
}
