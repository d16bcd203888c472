import { isJsonObject } from '../../../packages/protocol/dist/index.js'
import { noteTold } from './journal.mjs'

/**
 * Sends a call in one bare request, which nothing repeats, and notes what comes back.
 *
 * @param {Pick<import('./caller.mjs').Ask, 'order' | 'entry' | 'here'>} ask
 * @param {{ key?: string, breakOffMs?: number, timeoutMs: number }} options `breakOffMs`: when the connection dies
 */
export async function askOnce({ order, entry, here }, { key, breakOffMs, timeoutMs }) {
  const { number, steps, stepMs, tool, traceId } = order
  const _meta = { traceId, timeoutMs, ...(key !== undefined && { idempotencyKey: key }) }
  const params = { name: tool, arguments: { order: number, steps, stepMs }, _meta }
  const signal = breakOffMs === undefined ? null : AbortSignal.timeout(breakOffMs)
  let answer
  try {
    const response = await fetch(`${here.baseUrl}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params }),
      signal,
    })
    answer = await response.json()
  } catch {
    // Cut by us, or by the end of the hub: the caller knows nothing, and no rule says what it should know.
    return
  }
  const { result, error } = answer
  const callId = idIn(result?._meta) ?? idIn(error?.data)
  if (callId !== undefined) entry.acknowledged.add(callId)
  const answeredOrder = isJsonObject(result?.structuredContent) ? result.structuredContent.order : undefined
  noteTold(entry, {
    callId,
    code: error?.data?.title,
    reason: error?.message,
    ...(result !== undefined && { answeredOrder }),
  })
}

/** @param {unknown} place */
function idIn(place) {
  return isJsonObject(place) && typeof place.callId === 'string' ? place.callId : undefined
}
