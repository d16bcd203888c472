import { createCallId } from '../../../packages/core/dist/index.js'
import { openStore } from '../../../packages/redis/dist/index.js'
import { systemClock } from '../../../packages/telemetry/dist/index.js'

const HOUR_MS = 3_600_000
const WRITTEN_AT_ONCE = 500
/** No hub of the bench: it only says that it lives, so that no sweep takes its calls. */
const HUB_ID = 'filler'

/**
 * Fills a store with traces of one call each, as a hub writes them.
 *
 * @param {string} redisUrl
 * @param {{ from: number, to: number, ended: boolean }} wish numbers of the traces; `ended` false leaves their calls running, for an hour
 */
export async function fillWithTraces(redisUrl, { from, to, ended }) {
  /** @param {unknown} thrown */
  const onFailure = (thrown) => {
    throw thrown
  }
  const store = await openStore({ url: redisUrl, clock: systemClock, onFailure })
  /** @param {number} at */
  const write = async (at) => {
    /** @type {import('../../../packages/core/dist/index.js').NewCall} */
    const call = {
      callId: createCallId(Date.now()),
      trace: { tenant: 'local', owner: 'local', traceId: `filled-${ended ? 'ended' : 'live'}-${at}` },
      caller: 'bench',
      agent: 'Bench',
      tool: 'bench_echo',
      mode: 'direct',
      toolRevision: '',
      arguments: { text: 'hello' },
      hubId: HUB_ID,
    }
    await store.log.record(call, [
      { event: 'received', data: { caller: call.caller, agent: call.agent } },
      { event: 'accepted', data: {} },
      { event: 'started', data: { attempt: 1 } },
    ])
    if (!ended) return
    const data = {
      progress: 100,
      total: 100,
      content: [{ type: 'text', text: 'echo' }],
      isError: false,
      executionTimeMs: 1,
    }
    await store.log.change({ call, attempt: 1, events: [{ event: 'complete', data }] })
  }
  try {
    await store.leases.showPresence(HUB_ID, HOUR_MS)
    for (let at = from; at < to; at += WRITTEN_AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(WRITTEN_AT_ONCE, to - at) }, (_, offset) => write(at + offset)))
    }
  } finally {
    await store.close()
  }
}
