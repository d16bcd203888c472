import { startDispatcher, startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { untilTakesCalls } from '../../processes/system.mjs'
import { measureCost } from '../load/cost.mjs'
import { IN_FLIGHT, loopEcho } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { STATED } from '../report/goal.mjs'

/**
 * Two hubs and two dispatchers on one Redis, beside one of each on another. Which processor limits either is told in the lines: on a
 * machine of two cores it is these that are full.
 *
 * @type {import('./list.mjs').Row}
 */
export const twoOfEach = {
  id: 'l',
  title: 'two hubs and two dispatchers; beside them: one of each',
  async measure({ short, room }) {
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const service = { connector: 'tool-service', url: tool.ready, manifest: '/', concurrency: IN_FLIGHT }
    const config = { agents: { Direct: { ...service, mode: 'direct' }, Queued: { ...service, mode: 'queued' } } }
    /** @param {number} count */
    const start = async (count) => {
      const redis = await startRedisServer(room, `redis-of-${count}`)
      const options = { redisUrl: redis.url, config }
      /** @type {Record<string, import('../../processes/program.mjs').Program>} */
      const programs = { tool }
      const fronts = []
      for (let at = 1; at <= count; at++) {
        programs[`dispatcher ${at}`] = await startDispatcher(room, options)
        const hub = await startHub(room, options)
        programs[`hub ${at}`] = hub
        await untilTakesCalls(hub.ready)
        const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
        programs[`load ${at}`] = load
        fronts.push({ url: `${hub.ready}/rpc`, load })
      }
      return { redis, programs, fronts }
    }
    const [one, two] = [await start(1), await start(2)]
    const durationMs = short ? 300 : 2000
    /** @param {Awaited<ReturnType<typeof start>>} system @param {string} agent */
    const loop =
      ({ fronts }, agent) =>
      async () => {
        const connections = IN_FLIGHT / fronts.length
        const results = await Promise.all(
          fronts.map(({ url, load }) => loopEcho(load, { url, durationMs, tool: `${agent}.bench_echo`, connections })),
        )
        return { perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0) }
      }
    /** @type {import('./list.mjs').Figure[]} */
    const figures = []
    const lines = []
    for (const agent of Object.keys(config.agents)) {
      await takeTurns({ rounds: short ? 1 : 3, ours: loop(two, agent), peer: loop(one, agent) })
      const turns = await takeTurns({ rounds: short ? 1 : 5, ours: loop(two, agent), peer: loop(one, agent) })
      figures.push({
        name: agent.toLowerCase(),
        title: `${agent.toLowerCase()} calls`,
        ours: medianOf(turns.ours, ({ perSecond }) => perSecond),
        peer: medianOf(turns.peer, ({ perSecond }) => perSecond),
        unit: 'calls/s',
        goal: STATED,
      })
      for (const [name, system] of Object.entries({ one, two })) {
        lines.push(`${name} of each, ${agent}: ${await describeUse(system, loop(system, agent), durationMs)}`)
      }
    }
    return { figures, lines }
  },
}

/**
 * How much of a core each process has while it is loaded: one at 100 % cannot do more, and neither can a machine whose cores are all taken.
 *
 * @param {Pick<Parameters<typeof measureCost>[0], 'programs' | 'redis'>} system
 * @param {() => Promise<{ perSecond: number }>} loop
 * @param {number} durationMs
 */
async function describeUse({ programs, redis }, loop, durationMs) {
  const work = async () => ((await loop()).perSecond * durationMs) / 1000
  const { cpuMicros, operations } = await measureCost({ programs, ...(redis && { redis }), work })
  const shares = Object.entries(cpuMicros).map(([name, micros]) => {
    return { name, percent: (micros * operations) / (durationMs * 10) }
  })
  const total = shares.reduce((sum, { percent }) => sum + percent, 0)
  return `${shares.map(({ name, percent }) => `${name} ${percent.toFixed(0)} %`).join(', ')}; together ${total.toFixed(0)} % of a core`
}
