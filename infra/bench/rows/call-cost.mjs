import { startProgram } from '../../processes/program.mjs'
import { startSystem } from '../../processes/system.mjs'
import { measureCost } from '../load/cost.mjs'
import { loopEcho } from '../load/echo-loop.mjs'
import { STATED } from '../report/goal.mjs'

/**
 * What a direct call, a queued call and a step of progress use: CPU of hub, dispatcher and Redis, commands and memory of Redis.
 *
 * @type {import('./list.mjs').Row}
 */
export const callCost = {
  id: 'h',
  title: 'what calls and events use',
  async measure({ short, room }) {
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const counting = await startProgram(room, 'infra/bench/programs/counting-agent.mjs')
    const service = { connector: 'tool-service', url: tool.ready, manifest: '/', concurrency: 50 }
    const system = await startSystem(room, {
      agents: {
        Direct: { ...service, mode: 'direct' },
        Queued: { ...service, mode: 'queued' },
        Counting: { url: counting.ready, mode: 'queued' },
      },
    })
    const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
    const durationMs = short ? 300 : 3000
    const steps = short ? 200 : 5000
    /** @param {string} name */
    const loop = async (name) =>
      (await loopEcho(load, { url: `${system.url}/rpc`, durationMs, tool: `${name}.bench_echo` })).answers
    const works = {
      direct: { title: 'a direct call', work: () => loop('Direct') },
      queued: { title: 'a queued call', work: () => loop('Queued') },
      event: { title: 'a step of progress', work: () => countSteps(system.url, steps) },
    }
    const { hub, dispatcher, redis } = system
    /** @type {import('./list.mjs').Figure[]} */
    const figures = []
    const lines = []
    for (const [name, { title, work }] of Object.entries(works)) {
      for (let round = 0; round < (short ? 1 : 3); round++) await work()
      const cost = await measureCost({ programs: { hub, dispatcher }, redis, work })
      figures.push(
        { name, title: `${title}, CPU`, ours: cost.totalCpuMicros, peer: null, unit: 'us', goal: STATED },
        {
          name: `${name}-commands`,
          title: `${title}, Redis`,
          ours: cost.totalCommands,
          peer: null,
          unit: 'commands',
          goal: STATED,
        },
        {
          name: `${name}-bytes`,
          title: `${title}, kept`,
          ours: cost.keptBytes,
          peer: null,
          unit: 'bytes',
          goal: STATED,
        },
      )
      lines.push(`${title}: ${describe(cost.cpuMicros, 0)} us; ${describe(cost.commands, 1)}`)
    }
    return { figures, lines }
  },
}

/** @param {string} url @param {number} steps @returns {Promise<number>} */
async function countSteps(url, steps) {
  const params = { name: 'Counting.bench_count', arguments: { steps } }
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const answer = await response.text()
  if (!answer.includes('echo')) throw new Error(`unexpected answer: ${answer.slice(0, 400)}`)
  return steps
}

/** @param {Record<string, number>} parts @param {number} digits */
function describe(parts, digits) {
  return Object.entries(parts)
    .filter(([, value]) => value >= 0.05)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(', ')
}
