import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { startSystem } from '../../processes/system.mjs'
import { describeLoops, IN_FLIGHT, loopEcho } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { ratioAtLeast } from '../report/goal.mjs'

/**
 * A queued call from HTTP in to its result out: hub, queue, dispatcher, agent, and its trace. The peer is the queue alone: BullMQ
 * adds, processes and tells, without HTTP, trace and agent.
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
    const bare = await startRedisServer(room, 'bare-redis')
    const args = [bare.url, String(IN_FLIGHT)]
    await startProgram(room, 'infra/bench/programs/queue-worker.mjs', { args })
    const caller = await startProgram(room, 'infra/bench/programs/queue-caller.mjs', { args })
    const durationMs = short ? 300 : 3000
    const ours = () => loopEcho(load, { url: `${system.url}/rpc`, durationMs })
    const peer = () => caller.ask({ durationMs })
    await takeTurns({ rounds: short ? 1 : 3, ours, peer })
    const turns = await takeTurns({ rounds: short ? 1 : 5, ours, peer })
    return {
      figures: [
        {
          ours: medianOf(turns.ours, ({ perSecond }) => perSecond),
          peer: medianOf(turns.peer, ({ perSecond }) => perSecond),
          unit: 'calls/s',
          goal: ratioAtLeast(0.5),
        },
      ],
      lines: [describeLoops('ours', turns.ours), describeLoops('peer', turns.peer)],
    }
  },
}
