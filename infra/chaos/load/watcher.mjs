/**
 * Watches a trace until its stream ends, through the ends of its hub.
 *
 * @param {import('../../../packages/client/dist/index.js').Client} client
 * @param {string} traceId
 * @param {AbortSignal} signal
 * @returns {Promise<import('./journal.mjs').Sight>}
 */
export async function watchToEnd(client, traceId, signal) {
  /** @type {import('./journal.mjs').Sight} */
  const sight = { ids: [], seqs: [], resets: 0, pauses: [], isWhole: false }
  /** @param {import('../../../packages/client/dist/index.js').Reconnect} reconnect */
  const onReconnect = ({ delayMs, reason }) => void sight.pauses.push(`${delayMs} ms as ${reason.reason}`)
  for await (const item of client.watch(traceId, { signal, onReconnect })) {
    if (item.kind === 'reset') sight.resets++
    else {
      sight.ids.push(item.id)
      sight.seqs.push(item.data.seq)
    }
  }
  sight.isWhole = !signal.aborted
  return sight
}
