import { startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { openTraceWriter } from '../load/trace-writer.mjs'
import { ratioAtLeast } from '../report/goal.mjs'

const MESSAGE = 'x'.repeat(60)
/** What a trace begins with beside its progress. */
const FIRST_EVENTS = 3
const WRITTEN_AT_ONCE = 500

/**
 * A long trace out of the paged log, as packages/client reads it in a process of its own. The peer reads the
 * same entries out of Redis and parses them.
 *
 * @type {import('./list.mjs').Row}
 */
export const pagedReplay = {
  id: 'f',
  title: 'paged replay of a long trace; peer: bare XRANGE scan',
  async measure({ short, room }) {
    const events = short ? 5000 : 100_000
    const redis = await startRedisServer(room)
    const hub = await startHub(room, { redisUrl: redis.url })
    await writeTrace(redis.url, events)
    const trace = { tenant: 'local', owner: 'local', traceId: 'replay' }
    const reader = await startProgram(room, 'infra/bench/programs/log-reader.mjs', {
      args: [JSON.stringify({ url: hub.ready, redisUrl: redis.url, trace })],
    })
    /** @param {'client' | 'scan'} how */
    const read = (how) => async () => /** @type {{ perSecond: number }} */ (await reader.ask({ how, events }))
    const ours = read('client')
    const peer = read('scan')
    // The first turn warms both up.
    await takeTurns({ rounds: 1, ours, peer })
    const turns = await takeTurns({ rounds: short ? 1 : 5, ours, peer })
    /** @param {{ perSecond: number }} turn */
    const perSecond = (turn) => turn.perSecond
    return {
      figures: [
        {
          title: `${events} events`,
          ours: medianOf(turns.ours, perSecond),
          peer: medianOf(turns.peer, perSecond),
          unit: 'events/s',
          goal: ratioAtLeast(0.6),
        },
      ],
    }
  },
}

/**
 * @param {string} redisUrl
 * @param {number} events
 */
async function writeTrace(redisUrl, events) {
  const writer = await openTraceWriter(redisUrl)
  try {
    const write = await writer.begin('replay')
    for (let left = events - FIRST_EVENTS; left > 0; left -= WRITTEN_AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(left, WRITTEN_AT_ONCE) }, () => write(MESSAGE)))
    }
  } finally {
    await writer.close()
  }
}
