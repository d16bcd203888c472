import { startProgram } from '../processes/program.mjs'
import { openRoom } from '../processes/room.mjs'
import { startSystem, untilTakesCalls } from '../processes/system.mjs'
import { describeMachine, describeSample, describeTrends, SAMPLE_HEADER } from './report.mjs'
import { judgeTrends, takeSample } from './samples.mjs'

/** Of the capacity: a hub that has room to breathe, as one in production should. */
const LOAD_SHARE = 0.6
const CONNECTIONS = 50
const STANDING_WATCHERS = 50
const COMING_WATCHERS = 10
/** Little, so that the memory of Redis has long reached it when it is judged. */
const RETENTION = { maxAgeMs: 60_000, maxBytes: 128 * 1024 * 1024 }

/** @typedef {import('../bench/load/closed-loop.mjs').LoopResult & { failed: number }} Calls */

/**
 * Measures what the system can take, loads it with a share of that for as long as is wanted, and looks whether anything grows.
 *
 * @param {import('./arguments.mjs').Wishes} wishes
 * @returns {Promise<boolean>} whether every call was answered and nothing grew
 */
export async function runSoak({ short, capacityMs, sampleMs, samples: count }) {
  const room = await openRoom('soak')
  try {
    console.log(describeMachine())
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const service = { connector: 'tool-service', url: tool.ready, manifest: '/', concurrency: CONNECTIONS }
    const system = await startSystem(room, {
      agents: { Direct: { ...service, mode: 'direct' }, Queued: { ...service, mode: 'queued' } },
      retention: RETENTION,
    })
    await untilTakesCalls(system.url)
    const args = [`${system.url}/rpc`, String(CONNECTIONS)]
    const callers = await startProgram(room, 'infra/soak/programs/callers.mjs', { args })
    // Until everything is compiled.
    /** @param {{ durationMs: number, perSecond?: number }} load */
    const callFor = async (load) => /** @type {Calls} */ (await callers.ask(load))
    await callFor({ durationMs: capacityMs })
    const capacity = await callFor({ durationMs: capacityMs })
    const perSecond = Math.floor(capacity.perSecond * LOAD_SHARE)
    console.log(
      `capacity ${capacity.perSecond.toFixed(0)} calls/s, half of them direct and half queued; load ${perSecond} calls/s, ${STANDING_WATCHERS} watchers that stay and ${COMING_WATCHERS} that come and go`,
    )
    const watchers = await startProgram(room, 'infra/soak/programs/coming-watchers.mjs', {
      args: [system.url, String(STANDING_WATCHERS), String(COMING_WATCHERS)],
    })
    console.log(SAMPLE_HEADER)
    const samples = []
    let failed = 0
    const startedAt = performance.now()
    for (let at = 1; at <= count; at++) {
      const calls = await callFor({ durationMs: sampleMs, perSecond })
      const sample = await takeSample(system, (performance.now() - startedAt) / 60_000)
      failed += calls.failed
      samples.push(sample)
      console.log(describeSample(sample, calls))
    }
    const watched = /** @type {{ traces: number, events: number, failed: number }} */ (await watchers.ask({}))
    failed += watched.failed
    console.log(
      `${watched.traces} traces were watched from their beginning to their end: ${watched.events} events, each once and in order`,
    )
    const trends = judgeTrends(samples)
    console.log(describeTrends(trends))
    console.log(`${failed} calls failed`)
    const isFlat = trends.every(({ flat }) => flat)
    if (!short) console.log(isFlat ? 'flat' : 'NOT FLAT')
    return failed === 0 && (short || isFlat)
  } finally {
    await room.close()
  }
}
