import type { JsonRpcErrorObject } from '@synchub/protocol'
import fc from 'fast-check'
import { junkAnd, readJson } from './odd-values.js'

/** A request to the operations API, as nobody should send it. */
export interface OddOperation {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const PATHS = [
  '/agents',
  '/queues',
  '/queues/board',
  '/traces',
  '/traces/{}',
  '/traces/{}/events',
  '/calls/{}',
  '/calls/{}/cancel',
  '/calls/{}/rerun',
  '/calls/{}/resolve',
  '/dead-letters',
  '/events',
  '/session',
  '/healthz',
  '/metrics',
  '/dashboard/{}',
  '/mcp',
  '/{}',
]
const QUERY_NAMES = ['after', 'from', 'to', 'limit', 'cursor', 'state', 'owner', 'text', 'since', 'callId', 'event']
const BODY_NAMES = ['reason', 'traceId', 'callerAgent', 'idempotencyKey', 'key']

const KNOWN = ['fuzzed', '019b0000-0000-7000-8000-000000000001', '..', 'local/fuzzed', '1-0', '0', '-1', '1e9', 'NaN']
const part = fc.oneof(fc.constantFrom(...KNOWN), fc.string({ unit: 'binary' }))
const rawPart = fc.constantFrom('%', '%E0%A4%A', '%00', '%2e%2e%2f', '*', '(', ':id', '[object]')
const path = fc
  .tuple(fc.constantFrom(...PATHS), fc.oneof({ weight: 9, arbitrary: part.map(encodeURIComponent) }, rawPart))
  .map(([pattern, value]) => pattern.replace('{}', value))
const query = fc
  .dictionary(fc.constantFrom(...QUERY_NAMES), part, { maxKeys: 3 })
  .map((values) => new URLSearchParams(values).toString())
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...BODY_NAMES), junkAnd('fuzzed')).map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
)
const headers = fc.record(
  {
    'Last-Event-ID': fc.constantFrom(...KNOWN),
    'Content-Type': fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain', 'x'),
    Accept: fc.constantFrom('application/json', '*/*', 'text/html', 'x/y;q=z'),
  },
  { requiredKeys: ['Accept'] },
)

/** Requests of every wrong kind, and right ones among them. */
export const oddOperations: fc.Arbitrary<OddOperation> = fc
  .record({ method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'), path, query, body, headers })
  .map(({ query: search, body: sent, ...rest }) => ({
    ...rest,
    path: search === '' ? rest.path : `${rest.path}?${search}`,
    body: rest.method === 'GET' ? undefined : sent,
  }))

/** Longer waits nobody for an answer that is no stream. */
const MAX_ANSWER_MS = 10_000

/** Sends one and says what is wrong with the answer; undefined where nothing is. */
export async function judgeOperation(url: string, operation: OddOperation): Promise<string | undefined> {
  const { method, path: at, headers: around } = operation
  const answer = await ask(url, operation)
  if (answer === undefined) return `no whole answer: ${method} ${at} ${JSON.stringify(around)}`
  const told = `${method} ${at} ${answer.status} ${answer.text}`
  if (answer.status >= 500) return `failed: ${told}`
  if (answer.status < 400) return undefined
  const problem = readJson(answer.text)
  const { id = null, error } = (problem ?? {}) as { readonly id?: unknown; readonly error?: JsonRpcErrorObject }
  return id === null && error?.data.title !== undefined ? undefined : `a refusal in another form: ${told}`
}

/** Undefined where no whole answer came in time. */
async function ask(url: string, { method, path: at, body: sent, headers: around }: OddOperation) {
  const signal = AbortSignal.timeout(MAX_ANSWER_MS)
  try {
    const own = sent === undefined ? {} : { body: sent }
    const response = await fetch(url + at, { method, headers: around, redirect: 'manual', signal, ...own })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    // Streams go on until their reader leaves.
    if (isStream) await response.body?.cancel()
    return { status: response.status, text: isStream ? '' : await response.text() }
  } catch (thrown) {
    if (signal.aborted) return undefined
    throw thrown
  }
}
