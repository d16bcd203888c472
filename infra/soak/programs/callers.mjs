// Calls two tools in turn, one direct and one queued: as fast as answers come, or at a pace.
import { answerQuestions } from '../../bench/load/answering.mjs'
import { sendAtPace } from '../../bench/load/pace.mjs'
import { quantile } from '../../bench/load/quantile.mjs'
import { encodePost, openRawConnection } from '../../bench/load/raw-http.mjs'

const [url = '', connections = '1'] = process.argv.slice(2)
const target = new URL(url)
const requests = ['Direct', 'Queued'].map((agent) => {
  const params = { name: `${agent}.bench_echo`, arguments: { text: 'hello' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return encodePost(target, { Accept: 'application/json' }, body)
})
let calls = 0

const lanes = Array.from({ length: Number(connections) }, () => {
  const connection = openRawConnection(target)
  return {
    async call() {
      const answer = await connection.ask(requests[calls++ % requests.length] ?? Buffer.of())
      return answer.includes('echo')
    },
  }
})

/** @typedef {{ latenciesMs: number[], failed: number }} Tally */

/** @param {Tally} tally @param {number} sinceMs @param {boolean} isGood */
function count(tally, sinceMs, isGood) {
  if (isGood) tally.latenciesMs.push(performance.now() - sinceMs)
  else tally.failed++
}

/** @param {number} durationMs @param {Tally} tally */
async function callWithoutRest(durationMs, tally) {
  const endAt = performance.now() + durationMs
  await Promise.all(
    lanes.map(async (lane) => {
      while (performance.now() < endAt) count(tally, performance.now(), await lane.call())
    }),
  )
}

/**
 * A call waits from the moment at which it is due, also where no connection is free: else a slow hub would be asked less and look well.
 *
 * @param {number} durationMs @param {number} perSecond @param {Tally} tally
 */
async function callAtPace(durationMs, perSecond, tally) {
  const free = [...lanes]
  /** @type {number[]} */
  const due = []
  let open = 0
  let onQuiet = () => {}
  const next = async () => {
    // In turns: the hub closes a connection that has been idle for some seconds.
    const lane = free.shift()
    const sinceMs = lane === undefined ? undefined : due.shift()
    if (lane === undefined) return
    if (sinceMs === undefined) return void free.push(lane)
    count(tally, sinceMs, await lane.call())
    free.push(lane)
    if (--open === 0) onQuiet()
    await next()
  }
  const send = () => {
    open++
    due.push(performance.now())
    void next()
  }
  await sendAtPace({ perSecond, durationMs, send })
  await new Promise((resolve) => {
    onQuiet = () => resolve(undefined)
    if (open === 0) onQuiet()
  })
}

answerQuestions(async (/** @type {{ durationMs: number, perSecond?: number }} */ { durationMs, perSecond }) => {
  /** @type {Tally} */
  const tally = { latenciesMs: [], failed: 0 }
  const startedAt = performance.now()
  await (perSecond === undefined ? callWithoutRest(durationMs, tally) : callAtPace(durationMs, perSecond, tally))
  const { latenciesMs, failed } = tally
  return {
    perSecond: (1000 * latenciesMs.length) / (performance.now() - startedAt),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    answers: latenciesMs.length,
    failed,
  }
})
process.send?.({ ready: true })
