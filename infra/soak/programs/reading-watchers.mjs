// Watchers that read what comes at once, and tell how long each event was under way.
import { once } from 'node:events'
import { connect } from 'node:net'
import { answerQuestions } from '../../bench/load/answering.mjs'
import { quantile } from '../../bench/load/quantile.mjs'
import { requestStream } from '../watchers/stream-request.mjs'

const STAMP = /stamp-(\d+)\./g
/** As long as a stamp may be that a read cuts in two. */
const STAMP_CHARS = 32

/** @type {number[]} */
let latenciesMs = []
let onRead = () => {}

/** @param {{ url: string, path: string, count: number }} join */
async function open({ url, path, count }) {
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    let rest = ''
    socket.on('data', (chunk) => {
      const now = process.hrtime.bigint()
      const text = rest + chunk.toString('latin1')
      let end = 0
      for (const match of text.matchAll(STAMP)) {
        latenciesMs.push(Number(now - BigInt(match[1] ?? '')) / 1e6)
        end = match.index + match[0].length
      }
      rest = text.slice(Math.max(end, text.length - STAMP_CHARS))
      onRead()
    })
    socket.write(requestStream(url, path))
  }
}

/** @param {number} count of the events that are still to come, over all of them */
async function take(count) {
  await new Promise((resolve) => {
    onRead = () => {
      if (latenciesMs.length >= count) resolve(undefined)
    }
    onRead()
  })
  const taken = latenciesMs
  latenciesMs = []
  return { events: taken.length, p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99) }
}

answerQuestions(async (/** @type {{ join?: Parameters<typeof open>[0], read?: number }} */ { join, read }) => {
  if (join !== undefined) await open(join)
  return read === undefined ? {} : take(read)
})
process.send?.({ ready: true })
