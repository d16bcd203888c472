import { medianOf, takeTurns } from '../load/rounds.mjs'
import { startProgram } from '../programs/program.mjs'
import { startSystem } from '../programs/system.mjs'
import { ratioAtLeast, ratioAtMost } from '../report/goal.mjs'

const CONNECTIONS = 50
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'bench_echo', arguments: { text: 'hello' } },
})

/** @type {import('./list.mjs').Row} */
export const shortCall = {
  id: 'a',
  title: 'short call to an HTTP tool, traced and durable; peer: official MCP SDK server',
  async measure({ short, room }) {
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const peer = await startProgram(room, 'infra/bench/programs/mcp-peer.mjs', { args: [tool.ready] })
    const system = await startSystem(room, {
      agents: { Bench: { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'direct' } },
    })
    const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
    const durationMs = short ? 300 : 3000
    /** @param {string} url @param {Record<string, string>} headers @returns {Promise<import('../load/closed-loop.mjs').LoopResult>} */
    const loop = (url, headers) =>
      load.ask({ url, headers, body: BODY, connections: CONNECTIONS, durationMs, good: 'echo' })
    const ours = () => loop(`${system.url}/rpc`, { Accept: 'application/json' })
    const theirs = () => loop(peer.ready, { Accept: 'application/json, text/event-stream' })
    // The first turn warms both up.
    await takeTurns({ rounds: 1, ours, peer: theirs })
    const turns = await takeTurns({ rounds: short ? 1 : 5, ours, peer: theirs })
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
          title: 'p99',
          ours: medianOf(turns.ours, ({ p99Ms }) => p99Ms),
          peer: medianOf(turns.peer, ({ p99Ms }) => p99Ms),
          unit: 'ms',
          goal: ratioAtMost(1),
        },
      ],
      lines: [describe('ours', turns.ours), describe('peer', turns.peer)],
    }
  },
}

/**
 * @param {string} side
 * @param {readonly import('../load/closed-loop.mjs').LoopResult[]} results
 */
function describe(side, results) {
  const rounds = results.map(
    ({ perSecond, p50Ms, p99Ms }) =>
      `${perSecond.toFixed(0)}/s (p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms)`,
  )
  return `${side}: ${rounds.join(', ')}`
}
