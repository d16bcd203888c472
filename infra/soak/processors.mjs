import { cpus } from 'node:os'

const MICROS_OF_MS = 1000
const MICROS_OF_SECOND = 1e6

/**
 * Processor time in microseconds: of the soak's own processes, of all that the machine has done, and of all that it could have done.
 *
 * @typedef {{ ownMicros: number, busyMicros: number, allMicros: number }} ProcessorTime
 */

/** @typedef {{ ownPercent: number, otherPercent: number }} ProcessorShares of the whole machine */

/**
 * @param {readonly import('../processes/program.mjs').Program[]} programs
 * @param {import('../processes/redis-server.mjs').RedisServer} redis
 * @returns {Promise<ProcessorTime>}
 */
export async function readProcessorTime(programs, redis) {
  const usages = await Promise.all(programs.map((program) => program.usage()))
  const info = await redis.client.info('cpu')
  // Its children rewrite the append-only file.
  const parts = [...info.matchAll(/^used_cpu_(?:user|sys)(?:_children)?:(\S+)/gm)]
  const ofRedis = parts.reduce((sum, [, seconds]) => sum + Number(seconds) * MICROS_OF_SECOND, 0)
  const { user, system } = process.cpuUsage()
  const ownMicros = usages.reduce((sum, { cpuMicros }) => sum + cpuMicros, ofRedis + user + system)
  let [busyMicros, allMicros] = [0, 0]
  for (const { times } of cpus()) {
    const { idle, ...busy } = times
    const busyMs = Object.values(busy).reduce((sum, ms) => sum + ms, 0)
    busyMicros += busyMs * MICROS_OF_MS
    allMicros += (busyMs + idle) * MICROS_OF_MS
  }
  return { ownMicros, busyMicros, allMicros }
}

/**
 * What the soak has had of the machine between two looks, and what others have had.
 *
 * @param {ProcessorTime} before
 * @param {ProcessorTime} after
 * @returns {ProcessorShares}
 */
export function sharesOf(before, after) {
  const all = after.allMicros - before.allMicros
  const own = after.ownMicros - before.ownMicros
  // The machine counts in ticks, a process in microseconds.
  const other = Math.max(0, after.busyMicros - before.busyMicros - own)
  return { ownPercent: (100 * own) / all, otherPercent: (100 * other) / all }
}
