import { startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { quantile } from '../load/quantile.mjs'
import { hasNchan, NCHAN_PACKAGES, startNchan } from '../programs/nchan.mjs'
import { ratioAtLeast } from '../report/goal.mjs'

const BURST_EVENTS = 100
const FORMS = { single: 1, burst: BURST_EVENTS }

/**
 * Events of one trace to many watchers. "One at a time" writes an event when every watcher has read the one before; a burst is
 * written back to back. Hub and peers take turns.
 *
 * @type {import('./list.mjs').Row}
 */
export const fanOut = {
  id: 'c',
  title: 'events of one trace to 1,000 watchers',
  async measure({ short, room }) {
    const watcherCount = short ? 100 : 1000
    const durationMs = short ? 300 : 500
    const rounds = short ? 1 : 11
    const targets = await startTargets(room, watcherCount)
    /** @type {Map<string, number[]>} */
    const measured = new Map()
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round++) {
      for (const [form, eventsAtOnce] of Object.entries(FORMS)) {
        for (const [kind, load] of targets) {
          const answer = await load.ask({ eventsAtOnce, durationMs: round === 0 ? durationMs / 3 : durationMs })
          const { perSecond } = /** @type {{ perSecond: number }} */ (answer)
          const name = `${kind}/${form}`
          if (round > 0) measured.set(name, [...(measured.get(name) ?? []), perSecond])
        }
      }
    }
    /** @param {string} name */
    const speedOf = (name) => quantile(measured.get(name) ?? [], 0.5)
    /** @param {string} form @param {string} peer @param {number} least @param {string} title */
    const figure = (form, peer, least, title) => ({
      name: `${form}/${peer}`,
      title,
      ours: speedOf(`hub/${form}`),
      peer: speedOf(`${peer}/${form}`),
      unit: 'deliveries/s',
      goal: ratioAtLeast(least),
    })
    const figures = [
      figure('single', 'bare', 1.2, 'one at a time, against bare node:http'),
      figure('burst', 'bare', 4, `bursts of ${BURST_EVENTS}, against bare node:http`),
    ]
    if (!targets.has('nchan')) return { figures, lines: [`without Nchan: it is not installed (${NCHAN_PACKAGES})`] }
    return {
      figures: [...figures, figure('burst', 'nchan', 2, `bursts of ${BURST_EVENTS}, against Nchan`)],
      lines: [`Nchan one at a time: ${Math.round(speedOf('nchan/single'))} deliveries/s`],
    }
  },
}

/**
 * @param {import('../../processes/room.mjs').Room} room
 * @param {number} watcherCount
 * @returns {Promise<Map<string, import('../../processes/program.mjs').Program>>} the load of the hub and of each peer
 */
async function startTargets(room, watcherCount) {
  /** @param {object} target */
  const load = (target) =>
    startProgram(room, 'infra/bench/programs/fan-out-load.mjs', { args: [JSON.stringify({ ...target, watcherCount })] })
  const redis = await startRedisServer(room)
  const hub = await startHub(room, { redisUrl: redis.url })
  /** @type {import('../../processes/program.mjs').Program<{ url: string, feedUrl: string }>} */
  const bare = await startProgram(room, 'infra/bench/programs/bare-stream-server.mjs')
  const targets = new Map()
  targets.set('hub', await load({ kind: 'hub', url: hub.ready, redisUrl: redis.url }))
  targets.set('bare', await load({ kind: 'bare', ...bare.ready }))
  if (hasNchan()) targets.set('nchan', await load({ kind: 'nchan', url: await startNchan(room) }))
  return targets
}
