import { slopeOf } from './slope.mjs'

const MEBIBYTE = 1024 * 1024

/**
 * What is looked at, and by how much it may grow over the whole of the judged time and still count as flat: a twentieth of its mean, or
 * so much that noise alone makes, whichever is more.
 *
 * @type {readonly { name: string, unit: string, noise: number }[]}
 */
export const MEASURES = [
  { name: 'hub rss', unit: 'MiB', noise: 24 },
  { name: 'hub heap', unit: 'MiB', noise: 4 },
  { name: 'hub handles', unit: '', noise: 16 },
  { name: 'dispatcher rss', unit: 'MiB', noise: 24 },
  { name: 'dispatcher heap', unit: 'MiB', noise: 4 },
  { name: 'dispatcher handles', unit: '', noise: 16 },
  { name: 'redis memory', unit: 'MiB', noise: 16 },
  { name: 'redis clients', unit: '', noise: 4 },
  { name: 'redis channels', unit: '', noise: 16 },
]
const SHARE_OF_MEAN = 0.05
/** Of the samples: meanwhile code is compiled, pools are filled and Redis comes up to what retention lets it keep. */
const WARM_UP_SHARE = 0.25

/** @typedef {{ minutes: number, values: Readonly<Record<string, number>> }} Sample */

/**
 * Looks at every process, at the heaps right after a collection.
 *
 * @param {import('../processes/system.mjs').System} system
 * @param {number} minutes since the load began
 * @returns {Promise<Sample>}
 */
export async function takeSample({ hub, dispatcher, redis }, minutes) {
  const [ofHub, ofDispatcher] = await Promise.all([hub.settled(), dispatcher.settled()])
  const info = await redis.client.info()
  /** @param {string} name */
  const read = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  const values = {
    'hub rss': ofHub.residentBytes / MEBIBYTE,
    'hub heap': ofHub.heapBytes / MEBIBYTE,
    'hub handles': ofHub.handles,
    'dispatcher rss': ofDispatcher.residentBytes / MEBIBYTE,
    'dispatcher heap': ofDispatcher.heapBytes / MEBIBYTE,
    'dispatcher handles': ofDispatcher.handles,
    'redis memory': read('used_memory') / MEBIBYTE,
    'redis clients': read('connected_clients'),
    'redis channels': read('pubsub_channels'),
  }
  return { minutes, values }
}

/** @typedef {{ name: string, unit: string, mean: number, slope: number, growth: number, allowed: number, flat: boolean }} Trend */

/**
 * Whether anything grows, once it has warmed up.
 *
 * @param {readonly Sample[]} samples
 * @returns {Trend[]}
 */
export function judgeTrends(samples) {
  const judged = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE))
  const minutes = (judged.at(-1)?.minutes ?? 0) - (judged[0]?.minutes ?? 0)
  return MEASURES.map(({ name, unit, noise }) => {
    const points = judged.map(({ minutes: x, values }) => ({ x, y: values[name] ?? Number.NaN }))
    const mean = points.reduce((sum, { y }) => sum + y, 0) / points.length
    const slope = slopeOf(points)
    const [growth, allowed] = [slope * minutes, Math.max(noise, SHARE_OF_MEAN * mean)]
    return { name, unit, mean, slope, growth, allowed, flat: growth <= allowed }
  })
}
