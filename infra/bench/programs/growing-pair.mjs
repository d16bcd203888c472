import { startDispatcher, startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { untilTakesCalls } from '../../processes/system.mjs'
import { loopEcho } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { fillWithTraces } from '../load/trace-filler.mjs'
import { ratioAtMost } from '../report/goal.mjs'

const HOUR_MS = 3_600_000
/** What both begin with. */
const FEW = 10
/** What two like systems may differ by in one run on a machine that others use too. */
const ALIKE = 1.15

/**
 * Two systems that are alike, one of which grows: hub, dispatcher and Redis of their own, in front of the same tool.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {boolean} short
 */
export async function startGrowingPair(room, short) {
  const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
  const agent = { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'direct', maxDurationMs: HOUR_MS }
  // Nothing of what is stored may go while it is measured.
  const retention = { maxTraces: 10_000_000, maxBytes: 16 * 1024 ** 3 }
  /** @param {string} name */
  const start = async (name) => {
    const redis = await startRedisServer(room, name)
    const options = { redisUrl: redis.url, config: { agents: { Bench: agent }, retention } }
    await startDispatcher(room, options)
    const hub = await startHub(room, options)
    await untilTakesCalls(hub.ready)
    await fillWithTraces(redis.url, { from: 0, to: FEW, ended: true })
    return { url: hub.ready, redisUrl: redis.url }
  }
  const [few, many] = [await start('few'), await start('many')]
  const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
  const durationMs = short ? 200 : 1000
  /** @param {{ url: string }} system */
  const loop =
    ({ url }) =>
    () =>
      loopEcho(load, { url: `${url}/rpc`, durationMs })
  // Until both are compiled, which takes some thousand calls.
  await takeTurns({ rounds: short ? 1 : 3, ours: loop(many), peer: loop(few) })
  return {
    many,
    /**
     * How long a call takes at the one that has grown, beside the other.
     *
     * @param {string} name
     * @param {string} title
     * @returns {Promise<import('../rows/list.mjs').Figure>}
     */
    async compare(name, title) {
      const turns = await takeTurns({ rounds: short ? 1 : 5, ours: loop(many), peer: loop(few) })
      return {
        name,
        title,
        ours: medianOf(turns.ours, ({ p50Ms }) => p50Ms),
        peer: medianOf(turns.peer, ({ p50Ms }) => p50Ms),
        unit: 'ms',
        goal: ratioAtMost(ALIKE),
      }
    },
  }
}
