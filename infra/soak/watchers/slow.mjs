import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { requestStream } from './stream-request.mjs'
import { printVerdict } from './verdict.mjs'

const MEBIBYTE = 1024 * 1024
const SLOW = 200
const QUICK = 5
const TRACE = 'flood'
const PATH = `/traces/${TRACE}/events?follow=1`
const LOOK_MS = 500
/** What a full reader is given before it is cut comes on top; a busy hub may be behind with filling them when the flood is over. */
const CUT_WITHIN_MS = 20_000

/**
 * Watchers that never read, beside some that do, while events flow: what they cost, whom they slow, and what becomes of them.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {boolean} short
 * @returns {Promise<boolean>} whether it is as it should be
 */
export async function floodSlowWatchers(room, short) {
  const pace = { perSecond: 2000, durationMs: short ? 6000 : 60_000 }
  const redis = await startRedisServer(room, 'redis-of-slow')
  // In the short form they are cut as well, only sooner.
  const streams = short ? { stallTimeoutMs: 1000 } : {}
  const hub = await startHub(room, { redisUrl: redis.url, config: { agents: {}, streams } })
  const url = hub.ready
  const flood = await startProgram(room, 'infra/soak/programs/flood.mjs', { args: [redis.url, TRACE] })
  const quick = await startProgram(room, 'infra/soak/programs/reading-watchers.mjs')
  const slow = await startProgram(room, 'infra/soak/programs/frozen-watchers.mjs')
  await quick.ask({ join: { url, path: PATH, count: QUICK } })
  // Until what serves a stream is compiled.
  const warmed = /** @type {{ sent: number }} */ (await flood.ask({ perSecond: 500, durationMs: 1000 }))
  await quick.ask({ read: warmed.sent * QUICK })
  const { residentBytes: before, handles } = await hub.usage()
  await slow.ask({ join: { url, path: PATH, count: SLOW } })

  let most = before
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      most = Math.max(most, (await hub.usage()).residentBytes)
      await delay(LOOK_MS)
    }
  })()
  const { sent } = /** @type {{ sent: number }} */ (await flood.ask(pace))
  const answer = await quick.ask({ read: sent * QUICK })
  const latency = /** @type {{ p50Ms: number, p99Ms: number }} */ (answer)
  isOver = true
  await looking
  await untilCut(hub, handles)
  const left = await slow.ask({ read: true })
  const { readers } = /** @type {{ readers: { isCut: boolean, lastId: string | null, isWhole: boolean }[] }} */ (left)
  const placed = readers.filter(({ lastId }) => lastId !== null).slice(0, QUICK)
  const resumed = await Promise.all(placed.map(({ lastId }) => nextSeq(url, lastId ?? '')))
  const lost = resumed.filter((seq, at) => seq !== Number(placed[at]?.lastId?.split('-')[0]) + 1)
  const title = `${SLOW} watchers that never read, ${QUICK} that do, ${sent} events of 2 kB at ${pace.perSecond}/s (p50 of those that read ${latency.p50Ms.toFixed(1)} ms)`
  const count = (/** @type {readonly unknown[]} */ { length }) => ({ value: length, most: 0, unit: 'watchers' })
  return printVerdict(title, [
    { name: 'memory of the hub grew by', value: (most - before) / MEBIBYTE, most: 200, unit: 'MiB' },
    // In some seconds the filling of the sockets is most of what there is: that says nothing.
    { name: 'p99 of those that read', value: latency.p99Ms, most: short ? 2000 : 100, unit: 'ms' },
    { name: 'slow ones that were not cut', ...count(readers.filter(({ isCut }) => !isCut)) },
    {
      name: 'slow ones that had got something else than a beginning',
      ...count(readers.filter(({ isWhole }) => !isWhole)),
    },
    { name: `of ${resumed.length} that came back with their cursor, missed the next event`, ...count(lost) },
  ])
}

/**
 * Waits until the hub has no more sockets than before the slow ones came, for a while.
 *
 * @param {import('../../processes/program.mjs').Program} hub
 * @param {number} handles
 */
async function untilCut(hub, handles) {
  const givenUpAt = performance.now() + CUT_WITHIN_MS
  while ((await hub.usage()).handles > handles && performance.now() < givenUpAt) await delay(LOOK_MS)
}

/** @param {string} url @param {string} lastEventId @returns {Promise<number>} number of the first event after it */
async function nextSeq(url, lastEventId) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(requestStream(url, PATH, lastEventId))
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    const seq = /^id: (\d+)-/m.exec(text)?.[1]
    if (seq !== undefined) return Number(seq)
  }
  throw new Error(`a watcher that came back was not served: ${text.slice(0, 300)}`)
}
