import { isJsonObject } from '@synchub/protocol'
import fc from 'fast-check'
import { postText } from '../hub-requests.js'
import { idOf, ids, junkAnd, mostly, readJson } from './odd-values.js'

/** A body with its headers, as nobody should send it. */
export interface RpcOddity {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const METHODS = ['ping', 'tools/list', 'tools/call', 'calls/get', 'calls/cancel', 'notifications/x', 'no/such']
const NAMES = ['name', 'arguments', 'cursor', 'callId', 'idempotencyKey', 'deployment', 'reason', '_meta']
const META_NAMES = [
  'traceId',
  'callerAgent',
  'targetAgent',
  'timeoutMs',
  'idempotencyKey',
  'parentCallId',
  'traceparent',
  'progressToken',
  'approvalTicketId',
]

const junk = junkAnd('echo', 'no-such', 'Agent', '019b0000-0000-7000-8000-000000000001')
const meta = fc.oneof(fc.constant({}), fc.dictionary(fc.constantFrom(...META_NAMES), junk), junk)
const params = fc.oneof(
  fc
    .tuple(fc.dictionary(fc.constantFrom(...NAMES), junk), meta)
    .map(([own, _meta]) => ({ name: 'echo', ...own, _meta })),
  fc.dictionary(fc.constantFrom(...NAMES), junk),
  junk,
)
const frame = fc.record(
  {
    jsonrpc: mostly('2.0', junk),
    id: ids,
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...METHODS) }, junk),
    params,
    result: junk,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
const body = fc.oneof(
  { weight: 6, arbitrary: frame.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: fc.array(fc.oneof(frame, junk), { maxLength: 7 }).map((value) => JSON.stringify(value)) },
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
)
const text = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,40}$/)
const headers = fc.record(
  {
    Accept: fc.constantFrom('application/json', 'text/event-stream', 'application/json, text/event-stream', '*/*', 'x'),
    Prefer: fc.oneof(fc.constant('respond-async'), text),
    'Idempotency-Key': text,
    traceparent: text,
  },
  { requiredKeys: [] },
)

/** Bodies of every wrong kind for `/rpc`, and right ones among them. */
export const rpcOddities: fc.Arbitrary<RpcOddity> = fc.record({ body, headers })

/** Sends one and says what is wrong with the answer; undefined where nothing is. */
export async function judgeRpcAnswer(
  url: string,
  { body: sent, headers: around }: RpcOddity,
): Promise<string | undefined> {
  const response = await postText(url, sent, around)
  const answer = await response.text()
  const told = `${response.status} ${answer}`
  const type = response.headers.get('content-type') ?? ''
  const message = readJson(sent)
  // A wait of some milliseconds, which is what some ask for, may be over before anything is done.
  if (response.status === 504 && answer.includes('"DEADLINE_EXCEEDED"')) return undefined
  if (response.status >= 500) return `failed: ${told}`
  if (type.startsWith('text/event-stream')) return judgeStream(answer)
  if (answer === '') return judgeSilence(response.status, message)
  if (!type.startsWith('application/json')) return `no JSON: ${told}`
  const given: unknown = JSON.parse(answer)
  const isBatch = Array.isArray(given)
  if (isBatch !== (Array.isArray(message) && response.status === 200)) return `a batch where there is none: ${told}`
  const fault = isBatch ? judgeBatch(given, message as unknown[]) : judgeOne(given, message, response.status)
  return fault === undefined ? undefined : `${fault}: ${told}`
}

function judgeStream(answer: string): string | undefined {
  const ends = answer.split('\n').filter((line) => /^event: (complete|failed|cancelled)$/.test(line))
  return ends.length === 1 ? undefined : `a stream with ${ends.length} ends: ${answer}`
}

function judgeSilence(status: number, message: unknown): string | undefined {
  const messages = Array.isArray(message) ? message : [message]
  if (status !== 202) return `no body, and status ${status}`
  return messages.some(isRequest) ? 'a request without an answer' : undefined
}

function judgeOne(given: unknown, message: unknown, status: number): string | undefined {
  if (!isAnswer(given)) return 'no answer'
  // What HTTP refuses is refused before any message is read.
  const sentId = Array.isArray(message) || status === 406 ? undefined : idOf(message)
  return given.id === (sentId ?? null) ? undefined : `sent id ${JSON.stringify(sentId)}`
}

/** Each request has one answer under its id; what cannot be read has one under none. */
function judgeBatch(given: readonly unknown[], messages: readonly unknown[]): string | undefined {
  if (!given.every(isAnswer)) return 'an answer of another form'
  const left = messages.map(idOf).filter((id) => id !== undefined)
  for (const { id } of given) {
    if (id === null) continue
    const place = left.indexOf(id)
    if (place < 0) return `the id ${JSON.stringify(id)} was not sent, or is answered twice`
    left.splice(place, 1)
  }
  return left.length === 0 ? undefined : `nothing for the ids ${JSON.stringify(left)}`
}

function isAnswer(value: unknown): value is { readonly id: string | number | null } {
  return isJsonObject(value) && value.jsonrpc === '2.0' && 'id' in value && 'result' in value !== 'error' in value
}

function isRequest(value: unknown): boolean {
  return idOf(value) !== undefined
}
