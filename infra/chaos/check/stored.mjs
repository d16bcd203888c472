/**
 * What lies in Redis of one call.
 *
 * @typedef {object} StoredCall
 * @property {string} callId
 * @property {string} traceId
 * @property {import('../../../packages/protocol/dist/index.js').CallState} state
 * @property {string} tool
 * @property {number} order
 * @property {string | undefined} endId id of the event that ended it
 */

/**
 * One event of a trace's log.
 *
 * @typedef {object} StoredEvent
 * @property {string} id
 * @property {number} seq
 * @property {string} event
 * @property {string} callId
 * @property {Record<string, unknown>} data
 */

/**
 * Everything that is in Redis after a run.
 *
 * @typedef {object} Stored
 * @property {ReadonlyMap<string, StoredCall>} calls by callId
 * @property {ReadonlyMap<string, readonly StoredEvent[]>} logs by traceId
 * @property {readonly string[]} leftovers keys that only a running system should have, and what lies in the queues
 */

const PREFIX = 'synchub'
const SIGNS = [`${PREFIX}:lease:*`, `${PREFIX}:hub:*`]
const TRACE_KEY = /^synchub:\{[^:]+:[^:]+:([^}]+)\}:(call|log)(?::(.+))?$/

/**
 * @param {import('ioredis').Redis} redis
 * @returns {Promise<Stored>}
 */
export async function readStored(redis) {
  /** @type {Map<string, StoredCall>} */
  const calls = new Map()
  /** @type {Map<string, StoredEvent[]>} */
  const logs = new Map()
  for await (const keys of redis.scanStream({ match: `${PREFIX}:{*`, count: 500 })) {
    await Promise.all(
      /** @type {string[]} */ (keys).map(async (key) => {
        const [, traceId = '', kind, callId = ''] = TRACE_KEY.exec(key) ?? []
        if (kind === 'log') logs.set(traceId, await readLog(redis, key))
        if (kind !== 'call') return
        const [state, tool, args, endId] = await redis.hmget(key, 'state', 'tool', 'arguments', 'endId')
        // A slot without a state was made void: its call was never recorded.
        if (state == null) return
        const { order } = JSON.parse(args ?? '{}')
        calls.set(callId, {
          callId,
          traceId,
          state: /** @type {StoredCall['state']} */ (state),
          tool: tool ?? '',
          order,
          endId: endId ?? undefined,
        })
      }),
    )
  }
  return { calls, logs, leftovers: await findLeftovers(redis) }
}

/** @param {import('ioredis').Redis} redis @param {string} key */
async function readLog(redis, key) {
  const entries = await redis.xrange(key, '-', '+')
  return entries.map(([id, [, event = '', , callId = '', , data = '{}']]) => ({
    id,
    seq: Number(id.split('-')[0]),
    event,
    callId,
    data: JSON.parse(data),
  }))
}

/** How many calls have not ended as the system sees it, which also counts those that a sweep still has to forget. @param {import('ioredis').Redis} redis */
export async function countOpen(redis) {
  return (await redis.zcard(`${PREFIX}:open`)) + (await findJobs(redis)).length
}

/**
 * Leases, and the signs of life of hubs.
 *
 * @param {import('ioredis').Redis} redis
 * @returns {Promise<ReadonlyMap<string, number>>} for how many ms each still holds
 */
export async function findSigns(redis) {
  const names = (await Promise.all(SIGNS.map((pattern) => redis.keys(pattern)))).flat()
  return new Map(await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await redis.pttl(name)]))))
}

/** @param {import('ioredis').Redis} redis */
async function findLeftovers(redis) {
  const lasting = await Promise.all(
    [...SIGNS, `${PREFIX}:ticket:*`, `${PREFIX}:errand*`].map((pattern) => redis.keys(pattern)),
  )
  const open = await redis.zrange(`${PREFIX}:open`, '0', '-1')
  return [...lasting.flat(), ...open.map((callId) => `${PREFIX}:open ${callId}`), ...(await findJobs(redis))]
}

/** Jobs of BullMQ in any state, and locks on them. @param {import('ioredis').Redis} redis */
async function findJobs(redis) {
  const keys = await redis.keys(`{${PREFIX}:queue}:*`)
  const found = await Promise.all(
    keys.map(async (key) => {
      const name = key.split(':').at(-1) ?? ''
      if (['id', 'meta', 'stalled-check', 'events', 'marker', 'pc'].includes(name)) return []
      return [key]
    }),
  )
  return found.flat()
}
