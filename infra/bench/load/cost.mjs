/**
 * What some work has used, for each of its operations.
 *
 * @typedef {object} Cost
 * @property {number} operations
 * @property {Record<string, number>} cpuMicros by process
 * @property {number} totalCpuMicros
 * @property {Record<string, number>} commands of Redis by name, those within its scripts too
 * @property {number} totalCommands
 * @property {number} keptBytes memory that Redis has taken for good
 */

/**
 * Does some work, and tells what it has used.
 *
 * @param {object} options
 * @param {Record<string, import('../../processes/program.mjs').Program>} options.programs
 * @param {import('../../processes/redis-server.mjs').RedisServer} [options.redis]
 * @param {() => Promise<number>} options.work answers how many operations it was
 * @returns {Promise<Cost>}
 */
export async function measureCost({ programs, redis, work }) {
  const before = await readUsage(programs, redis)
  const operations = await work()
  const after = await readUsage(programs, redis)
  /** @param {Record<string, number>} later @param {Record<string, number>} earlier */
  const perOperation = (later, earlier) =>
    Object.fromEntries(
      Object.entries(later)
        .map(([name, value]) => /** @type {const} */ ([name, (value - (earlier[name] ?? 0)) / operations]))
        .toSorted(([, left], [, right]) => right - left),
    )
  const cpuMicros = perOperation(after.cpuMicros, before.cpuMicros)
  const commands = perOperation(after.commands, before.commands)
  return {
    operations,
    cpuMicros,
    totalCpuMicros: sum(cpuMicros),
    commands,
    totalCommands: sum(commands),
    keptBytes: (after.memoryBytes - before.memoryBytes) / operations,
  }
}

/** @param {Record<string, number>} parts */
function sum(parts) {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}

/**
 * @param {Record<string, import('../../processes/program.mjs').Program>} programs
 * @param {import('../../processes/redis-server.mjs').RedisServer | undefined} redis
 */
async function readUsage(programs, redis) {
  /** @type {Record<string, number>} */
  const cpuMicros = {}
  for (const [name, program] of Object.entries(programs)) cpuMicros[name] = (await program.usage()).cpuMicros
  if (redis === undefined) return { cpuMicros, commands: {}, memoryBytes: 0 }
  const info = await redis.client.info('everything')
  cpuMicros.redis = 1e6 * (readNumber(info, 'used_cpu_user') + readNumber(info, 'used_cpu_sys'))
  const commands = Object.fromEntries(
    [...info.matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)]),
  )
  return { cpuMicros, commands, memoryBytes: readNumber(info, 'used_memory') }
}

/**
 * @param {string} info
 * @param {string} name
 */
function readNumber(info, name) {
  return Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? Number.NaN)
}
