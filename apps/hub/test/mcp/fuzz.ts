import { META_KEYS } from '@synchub/protocol'
import fc from 'fast-check'
import { idOf, ids, junkAnd, mostly, readJson } from '../fuzz/odd-values.js'
import { MODERN, modernRequest, postMcpText } from './mcp-requests.js'

/** A body with its headers, as nobody should send it. */
interface Oddity {
  readonly body: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'tasks/result',
  'tasks/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'notifications/cancelled',
  'notifications/initialized',
  'logging/setLevel',
  'resources/subscribe',
  'no/such',
]
const NAMES = [
  'protocolVersion',
  'name',
  'arguments',
  'cursor',
  'taskId',
  'uri',
  'task',
  'ref',
  'argument',
  'requestId',
]

const junk = junkAnd('echo', 'no-such', 'trace://fuzzed', { name: 'echo' }, { type: 'ref/prompt', name: 'x' })
const version = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(MODERN, '2025-11-25', '2025-06-18') },
  fc.constantFrom('2099-01-01', '2025-03-26', '', '=?base64?eA==?='),
)
const meta = fc.oneof(
  fc.record({
    [META_KEYS.protocolVersion]: version,
    [META_KEYS.clientCapabilities]: fc.oneof(fc.constant({}), junk),
  }),
  fc.dictionary(fc.constantFrom('progressToken', 'traceId', 'timeoutMs', 'idempotencyKey', 'traceparent'), junk),
  junk,
)
const params = fc.oneof(
  fc
    .tuple(fc.dictionary(fc.constantFrom(...NAMES), junk), meta)
    .map(([own, _meta]) => ({ name: 'echo', ...own, _meta })),
  junk,
)
const frame = fc.record(
  {
    jsonrpc: mostly('2.0', junk),
    id: ids,
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, junk),
    params,
    result: junk,
    error: junk,
  },
  { requiredKeys: ['jsonrpc', 'method', 'params'] },
)
const body = fc.oneof(
  { weight: 8, arbitrary: frame.map((value) => JSON.stringify(value)) },
  fc.array(frame, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
)
const headers = fc.record({
  'MCP-Protocol-Version': fc.option(version, { nil: undefined }),
  'Mcp-Method': fc.option(fc.constantFrom(...METHODS), { nil: undefined }),
  'Mcp-Name': fc.option(fc.constantFrom('echo', 'no-such', '=?base64?ZWNobw==?=', '=?base64?!?='), { nil: undefined }),
  'Mcp-Session-Id': fc.option(fc.constantFrom('s', 'x y'), { nil: undefined }),
  Accept: fc.constantFrom('application/json', 'application/json, text/event-stream', '*/*'),
})

/** Keeps the rules of the modern transport, so that what is wrong is what the method has to judge. */
const modern = fc
  .record({
    method: fc.constantFrom(...METHODS, 'subscriptions/listen'),
    own: fc.dictionary(fc.constantFrom(...NAMES, 'notifications', 'inputResponses', 'requestState'), junk),
    meta: fc.record({
      progressToken: fc.option(mostly(1, junk), { nil: undefined }),
      traceId: fc.option(mostly('fuzzed', junk), { nil: undefined }),
      [META_KEYS.clientCapabilities]: mostly({ extensions: { 'io.modelcontextprotocol/tasks': {} } }, junk),
      [META_KEYS.logLevel]: fc.option(mostly('info', junk), { nil: undefined }),
    }),
    id: ids,
  })
  .filter(({ own: { name, uri, taskId } }) => [name, uri, taskId].every((value) => fitsHeader(value)))
  .map(({ method, own, meta: declared, id }) => {
    const { frame: message, headers: around } = modernRequest(method, { name: 'echo', ...own }, declared, id)
    return { body: JSON.stringify(message), headers: { ...around, Accept: 'application/json, text/event-stream' } }
  })

/** Keeps the rules of the handshake era. */
const legacy = frame.map((value) => ({
  body: JSON.stringify(value),
  headers: { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json, text/event-stream' },
}))

/**
 * Messages of every wrong kind, and right ones among them; some are sent within a session.
 * @param session - one that the hub has opened
 */
export function oddities(session: string): fc.Arbitrary<Oddity> {
  const own = { 'Mcp-Session-Id': session }
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ body, headers }) },
    { weight: 2, arbitrary: modern },
    { weight: 1, arbitrary: legacy },
    { weight: 2, arbitrary: legacy.map((oddity) => ({ ...oddity, headers: { ...oddity.headers, ...own } })) },
    {
      weight: 1,
      arbitrary: fc.record({ body, headers: headers.map((around) => ({ ...around, ...own })) }),
    },
  )
}

/** Sends one and says what is wrong with the answer; undefined where nothing is. */
export async function judgeAnswer(url: string, { body: sent, headers: around }: Oddity): Promise<string | undefined> {
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, AbortSignal.timeout(20_000)])
  const response = await postMcpText(url, sent, around, signal)
  const message = readJson(sent)
  const sentId = idOf(message)
  if (response.status === 200 && isListening(message, response)) {
    // It goes on until its client leaves.
    leave.abort()
    return undefined
  }
  const text = await response.text()
  if (response.status >= 500) return `status ${response.status}: ${text}`
  if (response.status === 202) return judgeSilence(text, sentId, message)
  const answers = readAnswers(response, text)
  if (answers.length !== 1) return `${answers.length} answers: ${text}`
  const [answer] = answers
  if (answer === undefined || !('result' in answer || 'error' in answer)) return `neither result nor error: ${text}`
  // The id of a response names a request of ours, if anything: it is not sent back. Nor is one that cannot be read.
  const isOurs = isResponse(message)
  if ('id' in answer ? answer.id === sentId : sentId === undefined || isOurs) return undefined
  return `sent id ${JSON.stringify(sentId)}, got ${response.status} ${text}`
}

function judgeSilence(text: string, sentId: unknown, message: unknown): string | undefined {
  if (text !== '') return `a notification was answered: ${text}`
  return sentId === undefined || isResponse(message) ? undefined : 'a request was not answered'
}

function isListening(message: unknown, response: Response): boolean {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return isStream && JSON.stringify(message).includes('"method":"subscriptions/listen"')
}

function isResponse(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message)
}

/** Whether a text can stand in a header as it is; what is no text is not sent in one. */
function fitsHeader(value: unknown): boolean {
  return typeof value !== 'string' || /^[\x21-\x7e]*$/.test(value)
}

function readAnswers(response: Response, text: string): Record<string, unknown>[] {
  if (response.headers.get('content-type')?.startsWith('application/json') === true) return [JSON.parse(text)]
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
    .filter((message) => !('method' in message))
}
