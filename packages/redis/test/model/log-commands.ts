import assert from 'node:assert/strict'
import type { AsyncCommand } from 'fast-check'
import { readEvents } from '../call/sample-call.js'
import { Collector } from '../feed/collector.js'
import { removeTrace } from '../place/test-store.js'
import type { RealTrace, TraceModel, WatcherModel } from './trace-model.js'

/** The log holds what happened, numbered without a hole, and every watcher has come to its end. */
export class CompareLog implements AsyncCommand<TraceModel, RealTrace> {
  check = () => true

  async run(model: TraceModel, real: RealTrace): Promise<void> {
    const events = await readEvents(real.store, real.trace)
    const kept = model.events.slice(model.trimmed)
    assert.deepEqual(
      events.map(({ event, callId }) => ({ event, callId })),
      kept.map(({ event, callId }) => ({ event, callId })),
    )
    const numbers = kept.map((_, at) => model.trimmed + at + 1)
    assert.deepEqual(
      events.map(({ data }) => data.seq),
      numbers,
    )
    const last = model.events.length === 0 ? null : ((await real.store.reader.head(real.trace))?.id ?? null)
    for (const watcher of real.watchers) {
      const { collector } = watcher
      await collector.until(() => placeOf(watcher) === last)
      assert.deepEqual(collector.failures, [])
      if (watcher.resetsExpected !== undefined) assert.equal(collector.resets.length, watcher.resetsExpected)
      assert.ok(stretchesOf(collector).every(isWithoutHole), `a watcher got ${collector.seqs.join(' ')}`)
    }
  }

  toString = () => 'compare'
}

/** Joins as a watcher of everything, of what comes after an event that is there, or of one that is not any more. */
export class JoinWatcher implements AsyncCommand<TraceModel, RealTrace> {
  readonly #share: number
  readonly #isLost: boolean

  constructor(share: number, isLost: boolean) {
    this.#share = share
    this.#isLost = isLost
  }

  check = () => true

  async run(model: TraceModel, { store, feeds, trace, watchers, lostIds }: RealTrace): Promise<void> {
    const ids = this.#isLost ? lostIds : (await readEvents(store, trace)).map(({ id }) => id)
    const after = ids[Math.floor(this.#share * ids.length)] ?? null
    const collector = await Collector.join(feeds, { trace, after, follow: true })
    // From the start of a log whose beginning was cut off, too, the first event of all is missed.
    const isGone = after === null ? model.trimmed > 0 : this.#isLost
    watchers.push({ collector, after, resetsExpected: isGone ? undefined : 0 })
    if (!isGone || after === null) return
    await collector.until(({ resets }) => resets.length > 0)
  }

  toString = () => `join at ${this.#share} of ${this.#isLost ? 'what was lost' : 'the log'}`
}

/** Cuts the beginning of the log off, as retention does. */
export class TrimLog implements AsyncCommand<TraceModel, RealTrace> {
  check = ({ events, trimmed }: Readonly<TraceModel>) => events.length - trimmed > 2

  async run(model: TraceModel, real: RealTrace): Promise<void> {
    const { store, trace, lostIds } = real
    // Whoever still is on the way to the end would meet the cut or not, as it comes.
    await new CompareLog().run(model, real)
    lostIds.push(...(await readEvents(store, trace)).slice(0, 2).map(({ id }) => id))
    await store.link.commands.xtrim(store.link.keys.trace(trace).log, 'MINID', `${model.trimmed + 3}-0`)
    model.trimmed += 2
  }

  toString = () => 'trim'
}

/** Loses the whole trace; whoever had seen something of it is told. */
export class LoseTrace implements AsyncCommand<TraceModel, RealTrace> {
  check = ({ events }: Readonly<TraceModel>) => events.length > 0

  async run(model: TraceModel, real: RealTrace): Promise<void> {
    const { store, trace, watchers, lostIds } = real
    // Else the hub may see the loss later than whoever joins next, who then is reset with all others, or not, as it comes.
    await new CompareLog().run(model, real)
    lostIds.push(...(await readEvents(store, trace)).map(({ id }) => id))
    // Noted first: a feed may see the loss before it has been answered here.
    const placed = watchers.filter((watcher) => placeOf(watcher) !== null)
    const before = placed.map(({ collector }) => collector.resets.length)
    await removeTrace(store.link, trace)
    model.calls.length = 0
    model.events.length = 0
    model.trimmed = 0
    for (const watcher of watchers) watcher.resetsExpected = undefined
    for (const [at, { collector }] of placed.entries()) {
      await collector.until(({ resets }) => resets.length > (before[at] ?? 0))
    }
  }

  toString = () => 'lose'
}

/** Id of the last event that a watcher knows of, as the one it joined behind, by itself or in a snapshot. */
function placeOf({ collector: { entries, resets }, after }: WatcherModel): string | null {
  const last = resets.at(-1)
  if (last?.at === entries.length) return last.snapshot?.cursor ?? null
  return entries.at(-1)?.id ?? after
}

/** What a watcher was given between two resets. */
function stretchesOf({ entries, resets }: Collector): number[][] {
  const bounds = [0, ...resets.map(({ at }) => at), entries.length]
  return bounds.slice(1).map((to, at) => entries.slice(bounds[at], to).map(({ seq }) => seq))
}

function isWithoutHole(seqs: readonly number[]): boolean {
  return seqs.every((seq, at) => at === 0 || seq === (seqs[at - 1] ?? 0) + 1)
}
