import { openRoom } from '../processes/room.mjs'
import { readLedger } from './agents/ledger.mjs'
import { findBreaches } from './check/rules.mjs'
import { readStored } from './check/stored.mjs'
import { createDice } from './dice.mjs'
import { startFleet } from './fleet/fleet.mjs'
import { startKiller } from './fleet/killer.mjs'
import { drawBlows } from './fleet/kills.mjs'
import { stopInOrder, untilQuiet, untilTakenOver } from './fleet/quiet.mjs'
import { carryOutAll } from './load/load.mjs'
import { drawOrders } from './load/orders.mjs'
import { describeRun, startProgress } from './report.mjs'

/**
 * Lets callers call while processes are killed, waits until all is quiet again, and looks whether every promise was kept.
 *
 * @param {import('./arguments.mjs').Wishes} wishes
 * @returns {Promise<boolean>} whether they were
 */
export async function runChaos({ calls, kills, seed }) {
  console.log(`npm run chaos -- --seed ${seed} --calls ${calls} --kills ${kills}`)
  const room = await openRoom('chaos')
  try {
    const dice = createDice(seed)
    const [orders, blows] = [drawOrders(calls, dice), drawBlows(kills, dice)]
    const beganAtMs = performance.now()
    const fleet = await startFleet(room)
    const killer = startKiller(fleet, blows, calls, dice)
    const progress = startProgress({ calls, kills, fallen: killer.fallen })
    room.atEnd(progress.stop)
    const onDone = (/** @type {number} */ done) => {
      killer.onDone(done)
      progress.onDone(done)
    }
    const load = carryOutAll(orders, fleet.urls, { mayBegin: killer.mayBegin, onDone })
    const [entries] = await Promise.all([load, killer.over])
    const settledMs = await untilQuiet(fleet.redis.client)
    await untilTakenOver(fleet.redis.client)
    const exitCodes = await stopInOrder(fleet)
    progress.stop()
    const stored = await readStored(fleet.redis.client)
    const executions = readLedger(fleet.ledger)
    const breaches = [...findBreaches({ entries, stored, executions }), ...exitCodes]
    const facts = { calls, blows, entries, stored, executions, settledMs, tookMs: performance.now() - beganAtMs }
    console.log(describeRun(facts, breaches))
    if (breaches.length === 0) return true
    room.keepFolder()
    console.log(`The logs, the ledger of the agents and the append-only file of Redis are in ${room.folder}`)
    console.log(`The same draws again: npm run chaos -- --seed ${seed} --calls ${calls} --kills ${kills}`)
    return false
  } catch (thrown) {
    room.keepFolder()
    console.log(`The run broke off; its folder is ${room.folder}`)
    throw thrown
  } finally {
    await room.close()
  }
}
