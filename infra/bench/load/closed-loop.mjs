import { quantile } from './quantile.mjs'
import { encodePost, openRawConnection } from './raw-http.mjs'

/**
 * @typedef {object} LoopResult
 * @property {number} perSecond answers per second
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} answers
 */

/**
 * Sends one HTTP request again and again over a fixed number of connections, each of which waits for its answer before it sends
 * the next.
 *
 * @param {{ url: string, headers?: Record<string, string>, body: string, connections: number, durationMs: number,
 *   good: string }} options `good` stands in every good answer
 * @returns {Promise<LoopResult>}
 */
export async function runClosedLoop({ url, headers = {}, body, connections, durationMs, good }) {
  const target = new URL(url)
  const request = encodePost(target, headers, body)
  /** @type {number[]} */
  const latencies = []
  const startedAt = performance.now()
  const endAt = startedAt + durationMs
  const loop = async () => {
    const connection = openRawConnection(target)
    for (let sentAt = startedAt; sentAt < endAt; ) {
      const answer = await connection.ask(request)
      if (!answer.includes(good)) throw new Error(`unexpected answer: ${answer.slice(0, 400)}`)
      const nowMs = performance.now()
      latencies.push(nowMs - sentAt)
      sentAt = nowMs
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  const seconds = (performance.now() - startedAt) / 1000
  return {
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    answers: latencies.length,
  }
}
