import { setTimeout as delay } from 'node:timers/promises'
import { startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { oursAtMost } from '../report/goal.mjs'

const TRACES = 1000
/** A heartbeat goes out after 15 s: what it leaves behind counts too. */
const SETTLE_MS = 17_000

/**
 * What a watcher costs that has nothing to read: the resident memory of the hub's process after ten thousand have joined and
 * been sent a heartbeat, less that before. Some have come and gone before, so that the code that serves them is not counted.
 *
 * @type {import('./list.mjs').Row}
 */
export const idleWatchers = {
  id: 'd',
  title: 'idle watcher, resident memory of the hub',
  async measure({ short, room }) {
    const count = short ? 500 : 10_000
    const settleMs = short ? 500 : SETTLE_MS
    const redis = await startRedisServer(room)
    const hub = await startHub(room, { redisUrl: redis.url })
    const load = await startProgram(room, 'infra/bench/programs/watchers.mjs')
    /** @param {number} watchers */
    const pathsOf = (watchers) =>
      Array.from({ length: watchers }, (_, at) => `/traces/idle-${at % TRACES}/events?follow=1`)
    await load.ask({ join: { url: hub.ready, paths: pathsOf(500) } })
    await load.ask({ leave: true })
    await delay(1000)
    const before = (await hub.usage()).residentBytes
    const joined = await load.ask({ join: { url: hub.ready, paths: pathsOf(count) } })
    const { joinMs } = /** @type {{ joinMs: number }} */ (joined)
    await delay(settleMs)
    const after = (await hub.usage()).residentBytes
    return {
      figures: [
        { ours: (after - before) / count / 1024, peer: null, unit: 'KiB', goal: oursAtMost(14) },
        {
          name: 'join',
          title: `${count} have joined`,
          ours: joinMs / 1000,
          peer: null,
          unit: 's',
          goal: oursAtMost(10),
        },
      ],
      lines: [
        `resident: ${toMebibytes(before)} MiB before, ${toMebibytes(after)} MiB with ${count} watchers of ${TRACES} traces`,
      ],
    }
  },
}

/** @param {number} bytes */
function toMebibytes(bytes) {
  return (bytes / 1024 ** 2).toFixed(1)
}
