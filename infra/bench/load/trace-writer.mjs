import { createCallId } from '../../../packages/core/dist/index.js'
import { openStore } from '../../../packages/redis/dist/index.js'
import { systemClock } from '../../../packages/telemetry/dist/index.js'

/**
 * Writes events as a dispatcher does: each is one step of the store.
 *
 * @typedef {object} TraceWriter
 * @property {(traceId: string) => Promise<(message: string) => Promise<void>>} begin records a call that runs; what it returns
 *   writes one step of progress
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} redisUrl
 * @returns {Promise<TraceWriter>}
 */
export async function openTraceWriter(redisUrl) {
  /** @param {unknown} thrown */
  const onFailure = (thrown) => {
    throw thrown
  }
  const store = await openStore({ url: redisUrl, clock: systemClock, onFailure })
  return {
    async begin(traceId) {
      /** @type {import('../../../packages/core/dist/index.js').NewCall} */
      const call = {
        callId: createCallId(Date.now()),
        trace: { tenant: 'local', owner: 'local', traceId },
        caller: 'bench',
        agent: 'Bench',
        tool: 'bench_work',
        mode: 'direct',
        toolRevision: '',
        arguments: {},
        hubId: 'bench',
      }
      /** @type {import('../../../packages/core/dist/index.js').EventDraft[]} */
      const events = [
        { event: 'received', data: { caller: call.caller, agent: call.agent } },
        { event: 'accepted', data: {} },
        { event: 'started', data: { attempt: 1 } },
      ]
      await store.log.record(call, events)
      let progress = 0
      return async (message) => {
        const data = { progress: ++progress, message }
        const outcome = await store.log.change({ call, attempt: 1, events: [{ event: 'progress', data }] })
        if (outcome.kind !== 'changed') throw new Error(`an event was not written: ${outcome.kind}`)
      }
    },
    close: () => store.close(),
  }
}
