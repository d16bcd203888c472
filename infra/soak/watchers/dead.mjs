import { setTimeout as delay } from 'node:timers/promises'
import { startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { printVerdict } from './verdict.mjs'

const MEBIBYTE = 1024 * 1024
const FROZEN = 200
const MAX_AGE_MS = 2000
/** The greatest age, its spread, and what the hub gives a stream that has ended to reach its reader. */
const SETTLED_WITHIN_MS = 20_000
const LOOK_MS = 250

/**
 * Watchers that come and go without a word, and frozen ones that stay until their streams are too old: what is left of them.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {boolean} short
 * @returns {Promise<boolean>} whether nothing is
 */
export async function abortWatchers(room, short) {
  const cycles = short ? 500 : 20_000
  const redis = await startRedisServer(room, 'redis-of-dead')
  let warnings = 0
  /** @param {string} line */
  const onLine = (line) => {
    if (line.includes('MaxListeners')) warnings++
  }
  const config = { agents: {}, streams: { maxAgeMs: MAX_AGE_MS } }
  const hub = await startHub(room, { redisUrl: redis.url, config, onLine })
  const url = hub.ready
  const churn = await startProgram(room, 'infra/soak/programs/aborting-watchers.mjs')
  const frozen = await startProgram(room, 'infra/soak/programs/frozen-watchers.mjs')
  const look = async () => {
    const { residentBytes, heapBytes, handles } = await hub.settled()
    const channels = (await redis.client.pubsub('CHANNELS', '*:live')).length
    return { residentBytes, heapBytes, handles, channels }
  }
  /** @param {{ handles: number }} base */
  const untilSettled = async (base) => {
    const givenUpAt = performance.now() + SETTLED_WITHIN_MS
    for (;;) {
      const now = await look()
      if ((now.handles <= base.handles && now.channels === 0) || performance.now() > givenUpAt) return now
      await delay(LOOK_MS)
    }
  }
  const fresh = await look()
  // Until what serves a stream is compiled, and pools have their size.
  await churn.ask({ url, cycles: Math.round(cycles / 4) })
  const before = await untilSettled(fresh)
  const startedAt = performance.now()
  await frozen.ask({ join: { url, path: '/traces/frozen/events?follow=1', count: FROZEN } })
  await churn.ask({ url, cycles })
  const seconds = (performance.now() - startedAt) / 1000
  const after = await untilSettled(before)
  return printVerdict(
    `${cycles} watchers that came and went in ${seconds.toFixed(0)} s, half without a goodbye, and ${FROZEN} frozen ones`,
    [
      {
        name: 'sockets, timers and other handles left',
        value: after.handles - before.handles,
        most: 0,
        unit: 'handles',
      },
      { name: 'subscriptions left', value: after.channels, most: 0, unit: 'channels' },
      { name: 'heap grew by', value: (after.heapBytes - before.heapBytes) / MEBIBYTE, most: 2, unit: 'MiB' },
      { name: 'memory grew by', value: (after.residentBytes - before.residentBytes) / MEBIBYTE, most: 24, unit: 'MiB' },
      { name: 'warnings of too many listeners', value: warnings, most: 0, unit: 'lines' },
    ],
  )
}
