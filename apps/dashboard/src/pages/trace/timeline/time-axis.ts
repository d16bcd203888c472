/** A stretch of time that is laid out from left to right. */
export interface TimeAxis {
  readonly beginMs: number
  readonly endMs: number
}

/** Steps between the marks of an axis, in ms. */
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
]

/** Where an instant lies on the axis, in percent; what lies outside is put at the edge. */
export function placeOn({ beginMs, endMs }: TimeAxis, atMs: number): number {
  return Math.min(Math.max(((atMs - beginMs) / (endMs - beginMs)) * 100, 0), 100)
}

/** Marks of an axis at even steps, in ms after its beginning; about so many. */
export function marksOf({ beginMs, endMs }: TimeAxis, count: number): readonly number[] {
  const length = endMs - beginMs
  const step = STEPS.find((each) => length / each <= count) ?? Math.ceil(length / count)
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step)
}
