import { setTimeout as delay } from 'node:timers/promises'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { checkCalls, checkLogs } from '../check/rules.mjs'
import { readStored } from '../check/stored.mjs'
import { untilQuiet } from '../fleet/quiet.mjs'
import { startWorkingSystem, TOOL } from './working-system.mjs'

/** How long the replica hears nothing before the primary dies. */
const DEAF_MS = 4000
const CALL_EVERY_MS = 100
const LONGEST_LAG_SECONDS = 1

/**
 * The primary dies while its replica has not heard from it for a while, and the replica takes its place.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {boolean} wantsReplica whether the primary takes writes only while its replica keeps up (`min-replicas-to-write 1`)
 */
export async function failOver(room, wantsReplica) {
  const primary = await startRedisServer(room, 'primary')
  const replica = await startRedisServer(room, 'replica')
  const { hostname, port, password } = new URL(primary.url)
  await replica.client.config('SET', 'masterauth', password)
  await replica.client.replicaof(hostname, Number(port))
  while (!(await primary.client.info('replication')).includes('state=online')) await delay(50)
  if (wantsReplica) {
    await primary.client.config('SET', 'min-replicas-to-write', '1')
    await primary.client.config('SET', 'min-replicas-max-lag', String(LONGEST_LAG_SECONDS))
  }
  const first = await startWorkingSystem(room, primary.url)
  await first.call(1)
  replica.signal('SIGSTOP')
  /** @type {string[]} */
  const acknowledged = []
  let refused = 0
  for (let order = 2; order < 2 + DEAF_MS / CALL_EVERY_MS; order++) {
    await delay(CALL_EVERY_MS)
    const isTaken = await isRecorded(first.hub.ready, order)
    if (isTaken === null) refused++
    else acknowledged.push(isTaken)
  }
  await primary.kill()
  await Promise.all([first.hub.stop('SIGKILL'), first.dispatcher.stop('SIGKILL')])
  replica.signal('SIGCONT')
  await replica.client.replicaof('NO', 'ONE')
  await startWorkingSystem(room, replica.url)
  await untilQuiet(replica.client)
  const stored = await readStored(replica.client)
  return {
    acknowledged: acknowledged.length,
    refused,
    acknowledgedLost: acknowledged.filter((callId) => !stored.calls.has(callId)).length,
    rulesBroken: [...checkCalls(stored), ...checkLogs(stored)].length,
  }
}

/** Sends a call once; its callId where the hub says that it has it, null where it refuses it for now. @param {string} url @param {number} order */
async function isRecorded(url, order) {
  const params = {
    name: TOOL,
    arguments: { order, steps: 1, stepMs: 1 },
    _meta: { traceId: `order-${order}` },
  }
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ jsonrpc: '2.0', id: order, method: 'tools/call', params }),
  })
  const { result } = await response.json()
  return /** @type {string | null} */ (result?._meta?.callId ?? null)
}
