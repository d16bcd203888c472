import { describeLoops, loopEcho } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { startEchoPair } from '../programs/echo-pair.mjs'
import { ratioAtLeast, ratioAtMost } from '../report/goal.mjs'

/**
 * What a user would pick instead, asked for the same: a call of a tool that is an HTTP endpoint. The peer keeps nothing of it.
 *
 * @type {import('./list.mjs').Row}
 */
export const shortCall = {
  id: 'a',
  title: 'short call to an HTTP tool, traced and durable; peer: official MCP SDK server',
  async measure({ short, room }) {
    const { hubUrl, sdkUrl, load } = await startEchoPair(room)
    const durationMs = short ? 300 : 3000
    const ours = () => loopEcho(load, { url: `${hubUrl}/rpc`, durationMs })
    const accept = 'application/json, text/event-stream'
    const peer = () => loopEcho(load, { url: sdkUrl, durationMs, accept })
    // Until both are compiled, which takes some twenty thousand calls: before that V8's compiler has a core of its own.
    await takeTurns({ rounds: short ? 1 : 5, ours, peer })
    const turns = await takeTurns({ rounds: short ? 1 : 7, ours, peer })
    return {
      figures: [
        {
          ours: medianOf(turns.ours, ({ perSecond }) => perSecond),
          peer: medianOf(turns.peer, ({ perSecond }) => perSecond),
          unit: 'calls/s',
          goal: ratioAtLeast(3),
        },
        {
          name: 'p99',
          title: 'p99 of the short call',
          ours: medianOf(turns.ours, ({ p99Ms }) => p99Ms),
          peer: medianOf(turns.peer, ({ p99Ms }) => p99Ms),
          unit: 'ms',
          goal: ratioAtMost(1),
        },
      ],
      lines: [describeLoops('ours', turns.ours), describeLoops('peer', turns.peer)],
    }
  },
}
