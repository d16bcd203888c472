import { join } from 'node:path'
import { createClient } from '../../../packages/client/dist/index.js'
import { startDispatcher, startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { untilTakesCalls } from '../../processes/system.mjs'

/** A tool that may be asked again, and takes as long as it is told. */
export const TOOL = 'native_again'

/**
 * A hub and a dispatcher at a Redis, and the agent that works for them.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {string} redisUrl
 */
export async function startWorkingSystem(room, redisUrl) {
  const agent = await startProgram(room, 'infra/chaos/agents/native-agent.mjs', {
    args: [join(room.folder, 'ledger.ndjson'), join(room.folder, 'native-data'), '0', TOOL],
  })
  const tools = { [TOOL]: { safeToRepeat: true, maxAttempts: 20, retryDelayMs: 100 } }
  const config = { streams: { retryMs: 100 }, agents: { Native: { url: agent.ready, concurrency: 50, tools } } }
  const dispatcher = await startDispatcher(room, { redisUrl, config })
  const hub = await startHub(room, { redisUrl, config })
  await untilTakesCalls(hub.ready)
  const client = createClient({ baseUrl: hub.ready })
  /** @param {number} order @param {number} steps */
  const request = (order, steps) => ({
    args: { order, steps, stepMs: 100 },
    options: { traceId: `order-${order}`, idempotencyKey: `order-${order}` },
  })
  return {
    hub,
    dispatcher,
    client,
    /** Starts the call of an order, or finds it. @param {number} order @param {number} [steps] */
    start: (order, steps = 1) => {
      const { args, options } = request(order, steps)
      return client.start(TOOL, args, options)
    },
    /** Calls and waits; again under the key that `start` uses. @param {number} order @param {number} [steps] */
    call: (order, steps = 1) => {
      const { args, options } = request(order, steps)
      return client.call(TOOL, args, { ...options, timeoutMs: 40_000 })
    },
  }
}
