import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { startSystem } from '../../processes/system.mjs'
import { describeLoops, IN_FLIGHT, loopEcho } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { ratioAtLeast, STATED } from '../report/goal.mjs'

/** @typedef {import('../load/closed-loop.mjs').LoopResult} LoopResult */

/**
 * A queued call from HTTP in to its result out: hub, queue, dispatcher, agent, and its trace. The peer is the queue alone: BullMQ
 * adds, processes and tells, without HTTP, trace and agent. Beside it stands what that very queue does with HTTP in front and an agent
 * behind: as fast as a queued call could be if its record and its trace cost nothing.
 *
 * @type {import('./list.mjs').Row}
 */
export const queuedCall = {
  id: 'b',
  title: 'queued no-op call with its trace; peer: closed loop of bare BullMQ',
  async measure({ short, room }) {
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const agent = { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'queued', concurrency: IN_FLIGHT }
    const system = await startSystem(room, { agents: { Bench: agent } })
    const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
    const caller = await startBareQueue(room)
    const untraced = await startUntracedQueue(room, tool.ready)
    const durationMs = short ? 300 : 3000
    const ours = () => loopEcho(load, { url: `${system.url}/rpc`, durationMs })
    const peer = async () => /** @type {LoopResult} */ (await caller.ask({ durationMs }))
    const withHttp = () => loopEcho(load, { url: untraced, durationMs })
    const turns = await takeWarmTurns({ short, ours, peer })
    const untracedTurns = await takeWarmTurns({ short, ours: withHttp, peer })
    return {
      figures: [
        compare(turns, { goal: ratioAtLeast(0.5) }),
        compare(untracedTurns, {
          name: 'untraced',
          title: 'bare BullMQ with HTTP in front and the same agent, no trace',
          goal: STATED,
        }),
      ],
      lines: [
        describeLoops('ours', turns.ours),
        describeLoops('peer', turns.peer),
        describeLoops('peer with HTTP and agent', untracedTurns.ours),
      ],
    }
  },
}

/** @param {import('../../processes/room.mjs').Room} room */
async function startBareQueue(room) {
  const redis = await startRedisServer(room, 'bare-redis')
  const args = [redis.url, String(IN_FLIGHT)]
  await startProgram(room, 'infra/bench/programs/queue-worker.mjs', { args })
  return startProgram(room, 'infra/bench/programs/queue-caller.mjs', { args })
}

/** @param {import('../../processes/room.mjs').Room} room @param {string} toolUrl @returns {Promise<string>} where it answers */
async function startUntracedQueue(room, toolUrl) {
  const redis = await startRedisServer(room, 'untraced-redis')
  const args = [redis.url, String(IN_FLIGHT), `${toolUrl}/echo`]
  await startProgram(room, 'infra/bench/programs/queue-worker.mjs', { args })
  const front = await startProgram(room, 'infra/bench/programs/queue-front.mjs', { args: [redis.url] })
  return front.ready
}

/** @param {{ short: boolean, ours: () => Promise<LoopResult>, peer: () => Promise<LoopResult> }} sides */
async function takeWarmTurns({ short, ours, peer }) {
  await takeTurns({ rounds: short ? 1 : 3, ours, peer })
  return takeTurns({ rounds: short ? 1 : 5, ours, peer })
}

/**
 * @param {{ ours: LoopResult[], peer: LoopResult[] }} turns
 * @param {{ name?: string, title?: string, goal: import('../report/goal.mjs').Goal }} figure
 * @returns {import('./list.mjs').Figure}
 */
function compare({ ours, peer }, figure) {
  const perSecondOf = (/** @type {LoopResult[]} */ results) => medianOf(results, ({ perSecond }) => perSecond)
  return { ...figure, ours: perSecondOf(ours), peer: perSecondOf(peer), unit: 'calls/s' }
}
