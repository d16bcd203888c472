import { createClient } from '../../../packages/client/dist/index.js'
import { carryOut } from './caller.mjs'

/** Callers at work at the same time. */
const CALLERS = 24

/**
 * Lets callers carry out all orders, a bounded number at a time.
 *
 * @param {readonly import('./orders.mjs').Order[]} orders
 * @param {readonly string[]} urls of the hubs
 * @param {{ mayBegin: (number: number) => Promise<void>, onDone: (done: number) => void }} pace `mayBegin`: holds an order back
 *   until its time has come
 * @returns {Promise<import('./journal.mjs').Entry[]>}
 */
export async function carryOutAll(orders, urls, { mayBegin, onDone }) {
  const clients = urls.map((baseUrl) => createClient({ baseUrl }))
  const waiting = [...orders]
  /** @type {import('./journal.mjs').Entry[]} */
  const entries = []
  const work = async () => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      await mayBegin(order.number)
      entries.push(await carryOut(order, clients))
      onDone(entries.length)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, work))
  return entries
}
