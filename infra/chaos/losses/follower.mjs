/**
 * What a watcher that follows a trace was given.
 *
 * @typedef {object} Follower
 * @property {Map<string, string>} seen data of each event by its id
 * @property {string[]} resets reasons
 * @property {string | undefined} place id of the last event that it knows of
 * @property {() => void} stop
 */

/**
 * @param {import('../../../packages/client/dist/index.js').Client} client
 * @param {string} traceId
 * @returns {Follower}
 */
export function follow(client, traceId) {
  const abort = new AbortController()
  /** @type {Follower} */
  const follower = { seen: new Map(), resets: [], place: undefined, stop: () => abort.abort() }
  const read = async () => {
    for await (const item of client.watch(traceId, { follow: true, signal: abort.signal })) {
      if (item.kind === 'reset') {
        follower.resets.push(item.reason)
        follower.place = item.id
      } else {
        follower.seen.set(item.id, JSON.stringify(item.data))
        follower.place = item.id
      }
    }
  }
  read().catch((thrown) => follower.resets.push(`failed: ${thrown}`))
  return follower
}
