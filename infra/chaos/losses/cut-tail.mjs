import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { checkCalls, checkLogs } from '../check/rules.mjs'
import { readStored } from '../check/stored.mjs'
import { untilQuiet } from '../fleet/quiet.mjs'
import { follow } from './follower.mjs'
import { startWorkingSystem } from './working-system.mjs'

const OLD_ORDERS = 10
const RUNNING_ORDERS = 10
const NEW_ORDERS = 20
/** So many bytes behind the cut are kept: it falls into the middle of a write, as a power cut does. */
const MIDDLE_OF_A_WRITE = 41
const LOST_MS = 1000
const PATIENCE_MS = 30_000

/**
 * The machine of Redis loses its power: what was written in the last second is not in its append-only file any more.
 *
 * @param {import('../../processes/room.mjs').Room} room
 */
export async function cutTail(room) {
  const redis = await startRedisServer(room)
  const system = await startWorkingSystem(room, redis.url)
  const orders = Array.from({ length: OLD_ORDERS + RUNNING_ORDERS + NEW_ORDERS }, (_, at) => at + 1)
  const followers = orders.map((order) => follow(system.client, `order-${order}`))
  room.atEnd(() => {
    for (const { stop } of followers) stop()
  })
  const [old, running, late] = [
    orders.slice(0, OLD_ORDERS),
    orders.slice(OLD_ORDERS, -NEW_ORDERS),
    orders.slice(-NEW_ORDERS),
  ]
  await Promise.all(old.map((order) => system.call(order)))
  await Promise.all(running.map((order) => system.start(order, 40)))
  await delay(LOST_MS)

  const file = logFile(redis.dataDir)
  const keptBytes = statSync(file).size
  const ends = Promise.all(late.map((order) => system.call(order)))
  await Promise.all([ends, delay(LOST_MS)])
  await redis.kill()
  const before = followers.map(({ seen, place }) => ({ seen: new Map(seen), place }))
  truncateSync(file, keptBytes + MIDDLE_OF_A_WRITE)
  await redis.start()

  const atStart = await readStored(redis.client)
  const lost = late.filter((order) => ![...atStart.calls.values()].some((call) => call.order === order))
  // Those who were told that their calls have ended ask again, as those do who were told nothing.
  const again = await Promise.all(
    orders.map((order) => system.call(order, order > OLD_ORDERS && order <= OLD_ORDERS + RUNNING_ORDERS ? 40 : 1)),
  )
  await untilQuiet(redis.client)
  const stored = await readStored(redis.client)
  const heads = orders.map((order) => stored.logs.get(`order-${order}`)?.at(-1)?.id)
  const givenUpAtMs = performance.now() + PATIENCE_MS
  while (followers.some(({ place }, at) => place !== heads[at]) && performance.now() < givenUpAtMs) await delay(50)

  const ahead = before.map(({ place }, at) => place !== undefined && !ids(atStart, orders[at]).has(place))
  return {
    callsInTheLostSecond: late.length,
    callsLost: lost.length,
    halfRecorded: checkLogs(atStart).length + callsWithoutEvents(atStart),
    watchersAhead: ahead.filter(Boolean).length,
    watchersAheadWithoutReset: followers.filter(({ resets }, at) => ahead[at] && resets.length === 0).length,
    watchersResetForNothing: followers.filter(({ resets }, at) => !ahead[at] && resets.length > 0).length,
    watchersNotAtTheEnd: followers.filter(({ place }, at) => place !== heads[at]).length,
    idsGivenTwice: before.reduce((sum, { seen }, at) => sum + reissued(stored, orders[at], seen), 0),
    repeatsAnsweredWrongly: again.filter(({ structuredContent }, at) => orderIn(structuredContent) !== orders[at])
      .length,
    rulesBroken: [...checkCalls(stored), ...checkLogs(stored)].length,
    resets: [...new Set(followers.flatMap(({ resets }) => resets))],
  }
}

/** The part of the append-only file that is written to. @param {string} dataDir */
function logFile(dataDir) {
  const folder = join(dataDir, 'appendonlydir')
  const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'))
  if (name === undefined) throw new Error(`there is no append-only file in ${folder}`)
  return join(folder, name)
}

/** Calls that are there without an event that tells of them, or the other way round. @param {import('../check/stored.mjs').Stored} stored */
function callsWithoutEvents({ calls, logs }) {
  const told = new Set([...logs.values()].flat().map(({ callId }) => callId))
  const silent = [...calls.keys()].filter((callId) => !told.has(callId))
  const nameless = [...told].filter((callId) => !calls.has(callId))
  return silent.length + nameless.length
}

/** @param {import('../check/stored.mjs').Stored} stored @param {number | undefined} order */
function ids({ logs }, order) {
  return new Set((logs.get(`order-${order}`) ?? []).map(({ id }) => id))
}

/** Ids under which a watcher had seen something else than what stands under them now. @param {import('../check/stored.mjs').Stored} stored @param {number | undefined} order @param {Map<string, string>} seen */
function reissued({ logs }, order, seen) {
  const log = logs.get(`order-${order}`) ?? []
  return log.filter(({ id, data }) => seen.has(id) && seen.get(id) !== JSON.stringify(data)).length
}

/** @param {unknown} structuredContent */
function orderIn(structuredContent) {
  return /** @type {{ order?: number } | undefined} */ (structuredContent)?.order
}
