import { META_KEYS } from '@synchub/protocol'
import fc from 'fast-check'

/** What the bridge owes for a line: a response under an id, an error without one, or nothing. */
export type Due = { readonly kind: 'response'; readonly id: string | number } | { readonly kind: 'refusal' | 'nothing' }

/** Ids that cancels name, and no line that must be answered has. */
const CANCELLED_IDS = ['c1', 'c2', 'c3']
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'subscriptions/listen',
  'notifications/initialized',
  'no/such',
]

const junk = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(null, 0, '', [], {}, -1, '\u2028', '한글'))
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(0, 1, '', 'x', '0', -1, 1.5, ...CANCELLED_IDS) },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.string()) },
  { weight: 1, arbitrary: fc.oneof(fc.constant(2 ** 53), fc.jsonValue()) },
)
const modernMeta = fc.record({
  [META_KEYS.protocolVersion]: fc.oneof({ weight: 6, arbitrary: fc.constant('2026-07-28') }, junk),
  [META_KEYS.clientCapabilities]: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, junk),
})
const params = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      { name: fc.oneof(fc.constant('pay'), junk), uri: junk, arguments: junk, _meta: fc.oneof(modernMeta, junk) },
      { requiredKeys: [] },
    ),
  },
  junk,
)
const request = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: ids,
  method: fc.constantFrom(...METHODS),
  params,
})
const anyMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 6, arbitrary: fc.constant('2.0') }, junk),
    id: ids,
    method: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...METHODS) }, junk),
    params,
    result: junk,
    error: junk,
  },
  { requiredKeys: [] },
)
const cancel = fc.constantFrom<unknown>(...CANCELLED_IDS, null, {}, 'nobody').map((requestId) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
}))

/** One line, mostly a request, without its end; what is no message is among them. */
export const oddLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: request.map((message) => JSON.stringify(message)) },
  { weight: 4, arbitrary: anyMessage.map((message) => JSON.stringify(message)) },
  { weight: 2, arbitrary: cancel.map((message) => JSON.stringify(message)) },
  { weight: 1, arbitrary: fc.array(request, { maxLength: 2 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')) },
)

/** What the rules of JSON-RPC and of PROTOCOL.md section 10 say that a line is due. */
export function dueFor(line: string): Due {
  if (line.trim() === '') return { kind: 'nothing' }
  const message = readJson(line)
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { kind: 'refusal' }
  const { jsonrpc, id, method, params: given = {} } = message as Record<string, unknown>
  if (method === undefined && ('result' in message || 'error' in message)) return { kind: 'nothing' }
  if ('id' in message) return isId(id) ? { kind: 'response', id } : { kind: 'refusal' }
  const isNotification = jsonrpc === '2.0' && typeof method === 'string' && typeof given === 'object' && given !== null
  return { kind: isNotification ? 'nothing' : 'refusal' }
}

/** Whether a cancel may have taken away the response under this id. */
export function mayBeCancelled(id: unknown): boolean {
  return CANCELLED_IDS.some((cancelled) => cancelled === id)
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && (!Number.isInteger(id) || Number.isSafeInteger(id)))
}

/** A text as JSON; undefined where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
