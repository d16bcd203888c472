import type { CallLog } from '../call/call-log.js'
import type { Clock } from '../clock.js'
import type { RetentionConfig } from '../config/hub-config.js'
import { leavesKeyFree } from '../idempotency/key-freedom.js'
import type { TraceRef } from '../trace/trace-ref.js'
import { keepUntilMs } from './keep-until.js'
import type { EndedTrace, KeptCall, OrderMove, RetentionStore, TraceFacts } from './retention-store.js'

/** What a round of retention works with. */
export interface RetentionPorts {
  readonly config: RetentionConfig
  readonly clock: Clock
  readonly store: RetentionStore
  readonly log: CallLog
  /** Writes a trace into the archive; false when it could not. Absent where there is none. */
  archive?(trace: TraceRef): Promise<boolean>
}

/** What a round has done. */
export interface RetentionRound {
  readonly removed: number
  /** Of those, how many the archive could not take. */
  readonly unarchived: number
  readonly trimmedEvents: number
  /** Whether to look again soon: there was too much for one round, or traces go, and what goes in many small rounds keeps nobody waiting. */
  readonly isMore: boolean
}

/** Number and bytes leave what has just ended to its readers: callers and pollers who are about to ask for it. */
const MIN_AGE_MS = 10_000
/** Traces looked at in one round, so that others get their turn and a stop is waited for briefly. */
const MAX_PER_ROUND = 2000
const BATCH = 100
/** Looked at together: fewer cost Redis and us a quarter more for each, more would hold Redis for over a millisecond. */
const AT_ONCE = 25
/** Whether a trace was put off is told by its place: its calls end some ms before they are put in order. */
const PUT_OFF_MARGIN_MS = 60_000

type Reason = 'age' | 'number' | 'bytes'

/** Removes ended traces until the bounds hold, the oldest first, and cuts what has grown too long. One process at a time. */
export async function runRetention(ports: RetentionPorts): Promise<RetentionRound> {
  const round = new Round(ports)
  await round.measure()
  await round.removeTraces()
  return round.trimTraces()
}

class Round {
  readonly #ports: RetentionPorts
  readonly #nowMs: number
  #left = 0
  #excessBytes = 0
  #removed = 0
  #unarchived = 0
  #trimmedEvents = 0
  #isMore = false
  #isStuck = false

  constructor(ports: RetentionPorts) {
    this.#ports = ports
    this.#nowMs = ports.clock.now()
  }

  async measure(): Promise<void> {
    const { store, config } = this.#ports
    const [count, excessBytes] = await Promise.all([store.count(), store.excessBytes(config.maxBytes)])
    this.#left = count
    this.#excessBytes = excessBytes
  }

  async removeTraces(): Promise<void> {
    for (let looked = 0; looked < MAX_PER_ROUND; looked += BATCH) {
      const batch = await this.#ports.store.first(BATCH)
      const moves: OrderMove[] = []
      const gone: TraceRef[] = []
      let isLast = batch.length < BATCH
      for (let at = 0; at < batch.length && !this.#isStuck; at += AT_ONCE) {
        const chunk = batch.slice(at, at + AT_ONCE)
        const due = chunk.flatMap((ended, place) => this.#due(ended, place))
        const seen = await Promise.all(due.map(([ended, reason]) => this.#look(ended, reason)))
        for (const { move, isGone } of seen) {
          if (move !== undefined) moves.push(move)
          if (isGone && move !== undefined) gone.push(move.ended.trace)
        }
        if (due.length === chunk.length) continue
        isLast = true
        break
      }
      // The lists first: a trace that is still in order is looked at again after a crash in between.
      await this.#ports.store.unlist(gone)
      await this.#ports.store.move(moves)
      // Another may have removed some of them at the same time; where it was so with all, it goes on alone.
      if (isLast || this.#isStuck || moves.length === 0) return
    }
    this.#isMore = true
  }

  async trimTraces(): Promise<RetentionRound> {
    const { store, config } = this.#ports
    for (const trace of await store.longTraces()) {
      const cut = await store.findCut(trace, config.maxEventsPerTrace)
      if (cut === null) continue
      await this.#closeKeys(trace, cut.calls)
      this.#trimmedEvents += await store.cut(trace, cut)
    }
    return {
      removed: this.#removed,
      unarchived: this.#unarchived,
      trimmedEvents: this.#trimmedEvents,
      isMore: this.#isMore || this.#removed > 0,
    }
  }

  /** Why this trace should go, the one that stands `place` behind the first of what is left; nothing where it may stay. */
  #due(ended: EndedTrace, place: number): [EndedTrace, Reason][] {
    const { maxAgeMs, maxTraces } = this.#ports.config
    if (ended.orderMs <= this.#nowMs - maxAgeMs) return [[ended, 'age']]
    if (ended.orderMs > this.#nowMs - MIN_AGE_MS) return []
    // Bytes before number: it holds whatever else was promised.
    if (this.#excessBytes > 0) return [[ended, 'bytes']]
    return this.#left - place > maxTraces ? [[ended, 'number']] : []
  }

  async #look(ended: EndedTrace, reason: Reason): Promise<{ readonly move?: OrderMove; readonly isGone: boolean }> {
    const { store } = this.#ports
    const { trace } = ended
    const facts = await store.inspect(trace)
    // Its entry was made for a call that was never recorded, or a round was cut off after it.
    if (facts === null) return this.#leave(ended, 0)
    // It goes on: the end of its last call puts it in order again.
    if (facts.openCalls > 0) return { ...this.#leave(ended, 0), isGone: false }
    const putOffMs = this.#putOff(ended, facts, reason)
    if (putOffMs !== undefined) return { move: { ended, toMs: putOffMs }, isGone: false }
    if (!(await this.#mayGo(trace, reason))) return { isGone: false }
    await this.#closeKeys(trace, facts.calls)
    const bytes = await store.remove(trace, facts)
    if (bytes === null) return { isGone: false }
    this.#removed++
    return this.#leave(ended, bytes)
  }

  /** A key may be remembered for longer than its call is kept: it then answers for it. */
  async #closeKeys(trace: TraceRef, calls: readonly KeptCall[]): Promise<void> {
    for (const call of calls) {
      if (call.keyDigest === undefined) continue
      const isFree = await leavesKeyFree(call.callId, this.#ports.log)
      await this.#ports.store.closeKey(trace, call, isFree ? 'free' : 'ended')
    }
  }

  #leave(ended: EndedTrace, bytes: number) {
    this.#left--
    this.#excessBytes -= bytes
    return { move: { ended }, isGone: true }
  }

  /** The place that a trace is put off to; undefined where it goes now. */
  #putOff({ orderMs }: EndedTrace, { calls, endedAtMs }: TraceFacts, reason: Reason): number | undefined {
    const { config } = this.#ports
    const untilMs = keepUntilMs(calls, config)
    if (untilMs <= this.#nowMs) return undefined
    if (reason === 'age') return untilMs - config.maxAgeMs
    // Bytes: behind all others, but once. A store that is full would take no new work, whatever it keeps.
    if (reason === 'bytes' && orderMs > endedAtMs + PUT_OFF_MARGIN_MS) return undefined
    return this.#nowMs
  }

  async #mayGo(trace: TraceRef, reason: Reason): Promise<boolean> {
    const { archive } = this.#ports
    if (archive === undefined || (await archive(trace))) return true
    if (reason === 'bytes') this.#unarchived++
    else this.#isStuck = true
    return reason === 'bytes'
  }
}
