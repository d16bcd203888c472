import { createKeys } from '../../packages/redis/dist/index.js'
import { startProgram } from '../processes/program.mjs'
import { openRoom } from '../processes/room.mjs'
import { startSystem, untilTakesCalls } from '../processes/system.mjs'
import { readProcessorTime, sharesOf } from './processors.mjs'
import { describeLatency, describeMachine, describeSample, describeTrends, SAMPLE_HEADER } from './report.mjs'
import { judgeTrends, takeSample } from './samples.mjs'

/** Of the calls of the capacity. Of the processors it takes far more, since fewer calls share a turn of the event loops. */
const LOAD_SHARE = 0.6
const CONNECTIONS = 50
const STANDING_WATCHERS = 50
const COMING_WATCHERS = 10
/** Little, so that retention is at work before anything is measured. */
const RETENTION = { maxAgeMs: 60_000, maxBytes: 64 * 1024 * 1024 }
const { endedTraces } = createKeys('synchub')

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
    const watchers = await startProgram(room, 'infra/soak/programs/coming-watchers.mjs', {
      args: [system.url, String(STANDING_WATCHERS), String(COMING_WATCHERS)],
    })
    const programs = [system.hub, system.dispatcher, tool, callers, watchers]
    /** @param {{ durationMs: number, perSecond?: number }} load */
    const callFor = async (load) => {
      const before = await readProcessorTime(programs, system.redis)
      const calls = /** @type {Calls} */ (await callers.ask(load))
      return { ...calls, ...sharesOf(before, await readProcessorTime(programs, system.redis)) }
    }
    const capacity = await measureCapacity({ system, callFor, capacityMs, short })
    const perSecond = Math.floor(capacity.perSecond * LOAD_SHARE)
    console.log(
      `capacity ${capacity.perSecond.toFixed(0)} calls/s, half of them direct and half queued, while ${capacity.goingPerSecond.toFixed(0)} traces/s go and others have ${capacity.otherPercent.toFixed(0)} % of the machine`,
    )
    console.log(
      `load ${perSecond} calls/s, ${STANDING_WATCHERS} watchers that stay and ${COMING_WATCHERS} that come and go`,
    )
    console.log(SAMPLE_HEADER)
    const samples = []
    /** @type {import('./report.mjs').Slice[]} */
    const slices = []
    let failed = 0
    const startedAt = performance.now()
    for (let at = 1; at <= count; at++) {
      const slice = await callFor({ durationMs: sampleMs, perSecond })
      const sample = await takeSample(system, (performance.now() - startedAt) / 60_000)
      failed += slice.failed
      samples.push(sample)
      slices.push(slice)
      console.log(describeSample(sample, slice))
    }
    const watched = /** @type {{ traces: number, events: number, failed: number }} */ (await watchers.ask({}))
    failed += watched.failed
    console.log(
      `${watched.traces} traces were watched from their beginning to their end: ${watched.events} events, each once and in order`,
    )
    console.log(describeLatency(slices))
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

/**
 * Calls as fast as answers come, beside the watchers: until everything is compiled and traces go as fast as they come, which they do after
 * the greatest age at the latest, and then once more to measure it. A system with nothing to remove and nobody to tell could take more than the load will meet.
 *
 * @param {object} options
 * @param {import('../processes/system.mjs').System} options.system
 * @param {(load: { durationMs: number }) => Promise<Calls & import('./processors.mjs').ProcessorShares>} options.callFor
 * @param {number} options.capacityMs
 * @param {boolean} options.short does not wait for retention
 * @returns {Promise<{ perSecond: number, goingPerSecond: number, otherPercent: number }>} calls that are answered, traces that are removed
 */
async function measureCapacity({ system: { redis }, callFor, capacityMs, short }) {
  const measure = async () => {
    const kept = await redis.client.zcard(endedTraces)
    const { perSecond, answers, otherPercent } = await callFor({ durationMs: capacityMs })
    const grown = (await redis.client.zcard(endedTraces)) - kept
    return { perSecond, goingPerSecond: perSecond * Math.max(0, 1 - grown / answers), otherPercent }
  }
  let last = await measure()
  while (!short && last.goingPerSecond < last.perSecond / 2) last = await measure()
  return measure()
}
