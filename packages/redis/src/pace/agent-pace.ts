import type { AgentPace } from '@synchub/protocol'

/** An hour, in ms: as fine as the day is told. */
const HOUR_MS = 3_600_000
/** Hours that are told: the one that runs and those before it. */
const HOURS = 24
/** A day, in ms: what one hash of counts holds. */
const DAY_MS = HOUR_MS * 24

/** Sizes of durations within a factor of two: a size is told to within a tenth. */
const SIZES_PER_DOUBLING = 4

/** Days whose counts hold the hours that are told, the oldest first: two, but one in its own last hour. */
export function daysTold(nowMs: number): readonly number[] {
  return [...new Set([dayOf(nowMs - (HOURS - 1) * HOUR_MS), dayOf(nowMs)])]
}

/** The day of an instant, as its hash is named. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS)
}

/** Where a run is counted that took so long, among those of its hour. */
export function sizeField(nowMs: number, ranMs: number): string {
  return `${hourOf(nowMs)}:${Math.round(Math.log2(Math.max(ranMs, 1)) * SIZES_PER_DOUBLING)}`
}

/** Where a run is counted that ended badly, beside its size. */
export function badField(nowMs: number): string {
  return `${hourOf(nowMs)}:bad`
}

/** Sums up the counts of the days told. */
export function paceOf(counts: readonly (readonly [field: string, count: string])[], nowMs: number): AgentPace {
  const last = hourOf(nowMs)
  const hours = Array.from({ length: HOURS }, () => new Map<number, number>())
  let failed = 0
  for (const [field, text] of counts) {
    const [hour, size] = field.split(':')
    const sizes = hours[Number(hour) - last + HOURS - 1]
    if (sizes === undefined) continue
    if (size === 'bad') failed += Number(text)
    else sizes.set(Number(size), (sizes.get(Number(size)) ?? 0) + Number(text))
  }
  const all = new Map<number, number>()
  for (const sizes of hours) for (const [size, count] of sizes) all.set(size, (all.get(size) ?? 0) + count)
  const [medianMs, slowMs] = [quantile(all, 0.5), quantile(all, 0.95)]
  return {
    runs: sum(all),
    failed,
    perHour: hours.map(sum),
    medianMsPerHour: hours.map((sizes) => quantile(sizes, 0.5)).filter((median) => median !== undefined),
    ...(medianMs === undefined ? {} : { medianMs }),
    ...(slowMs === undefined ? {} : { slowMs }),
  }
}

function hourOf(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS)
}

function sum(sizes: ReadonlyMap<number, number>): number {
  return [...sizes.values()].reduce((total, count) => total + count, 0)
}

/** What a share of the runs took no longer than, in ms; undefined where there are none. */
function quantile(sizes: ReadonlyMap<number, number>, share: number): number | undefined {
  const wanted = sum(sizes) * share
  let passed = 0
  for (const [size, count] of [...sizes].toSorted(([left], [right]) => left - right)) {
    passed += count
    if (passed >= wanted) return Math.round(2 ** (size / SIZES_PER_DOUBLING))
  }
  return undefined
}
