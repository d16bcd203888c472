/** Calls that are under way at the same time, at each side alike. */
export const IN_FLIGHT = 50

/**
 * Asks for the tool that answers at once again and again.
 *
 * @param {import('../../processes/program.mjs').Program} load infra/bench/programs/loop.mjs
 * @param {{ url: string, durationMs: number, tool?: string, accept?: string, connections?: number }} options
 * @returns {Promise<import('./closed-loop.mjs').LoopResult>}
 */
export function loopEcho(load, options) {
  const { url, durationMs, tool = 'bench_echo', accept = 'application/json', connections = IN_FLIGHT } = options
  const params = { name: tool, arguments: { text: 'hello' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const question = { url, headers: { Accept: accept }, body, connections, durationMs, good: 'echo' }
  return /** @type {Promise<import('./closed-loop.mjs').LoopResult>} */ (load.ask(question))
}

/**
 * One line about each side of a comparison.
 *
 * @param {string} side
 * @param {readonly import('./closed-loop.mjs').LoopResult[]} results
 */
export function describeLoops(side, results) {
  const rounds = results.map(
    ({ perSecond, p50Ms, p99Ms }) =>
      `${perSecond.toFixed(0)}/s (p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms)`,
  )
  return `${side}: ${rounds.join(', ')}`
}
