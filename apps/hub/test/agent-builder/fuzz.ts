import fc from 'fast-check'
import { idOf, ids, junkAnd, mostly, readJson } from '../fuzz/odd-values.js'
import { postToPath } from './path-requests.js'

/** A body with its headers, as nobody should send it. */
export interface Oddity {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'tasks/get',
  'server/discover',
  'notifications/initialized',
]
const CALL = { name: 'search', arguments: { query: 'x' } }
const NAMES = ['protocolVersion', 'capabilities', 'clientInfo', 'name', 'arguments', 'cursor', 'task', '_meta']

const junk = junkAnd('search', '2025-11-25', { query: 'x' }, { query: 1 })
const frame = fc.record(
  {
    jsonrpc: mostly('2.0', junk),
    id: ids,
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...METHODS) }, junk),
    params: fc.oneof(fc.dictionary(fc.constantFrom(...NAMES), junk), fc.constant(CALL), junk),
    result: junk,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
const body = fc.oneof(
  { weight: 8, arbitrary: frame.map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: ids.map((own) => JSON.stringify({ jsonrpc: '2.0', id: own, method: 'tools/call', params: CALL })),
  },
  fc.array(frame, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
)
// What an HTTP client will send as the value of a header at all.
const text = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,40}$/)
const usually = (value: string): fc.Arbitrary<string> => fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, text)
const headers = fc.record(
  {
    'MCP-Protocol-Version': usually('2025-11-25'),
    guid: usually('0190aa11-2222-7333-8444-555566667777'),
    'X-Request-Id': usually('request-1'),
    'Mcp-Session-Id': usually('session-1'),
    'employee-no': usually('E-4711'),
    'virtual-employee-no': usually('V-4711'),
    'Idempotency-Key': text,
    traceparent: text,
    Accept: fc.constantFrom('application/json', 'text/event-stream', 'image/png', '*/*'),
  },
  { requiredKeys: ['MCP-Protocol-Version'] },
)

/** Messages of every wrong kind, and right ones among them. */
export const oddities: fc.Arbitrary<Oddity> = fc.record({ body, headers })

/** Sends one and says what is wrong with the answer; undefined where nothing is. */
export async function judgeAnswer(
  address: string,
  { body: sent, headers: around }: Oddity,
): Promise<string | undefined> {
  const response = await postToPath(address, sent, around)
  const answer = await response.text()
  const told = `${response.status} ${answer}`
  if (response.headers.get('guid') === null || response.headers.get('x-request-id') === null) return `unnamed: ${told}`
  if (response.status === 202) return answer === '' ? undefined : `a notification was answered: ${told}`
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return `no JSON: ${told}`
  const message = JSON.parse(answer) as Record<string, unknown>
  if (response.status === 400)
    return 'supportedVersions' in message && !('jsonrpc' in message) ? undefined : `a 400 of another form: ${told}`
  if (response.status !== 200 || message.jsonrpc !== '2.0') return `another status or form: ${told}`
  if ('result' in message === 'error' in message) return `not one of result and error: ${told}`
  const sentId = idOf(readJson(sent))
  return message.id === (sentId ?? null) ? undefined : `sent id ${JSON.stringify(sentId)}: ${told}`
}
