import { META_KEYS } from '@synchub/protocol'
import fc from 'fast-check'
import { MODERN, postMcpText } from './mcp-requests.js'

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

const junk = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 0, '', [], {}, -1, 'echo', 'no-such', '../../etc/passwd'))
const id = fc.oneof(fc.constantFrom<unknown>(0, 1, '', 'x', -1, 1.5), fc.integer(), fc.string(), fc.jsonValue())
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
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, junk),
    id,
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

/** Messages of every wrong kind, and right ones among them. */
export const oddities: fc.Arbitrary<Oddity> = fc.record({ body, headers })

/** Sends one and says what is wrong with the answer; undefined where nothing is. */
export async function judgeAnswer(url: string, { body: sent, headers: around }: Oddity): Promise<string | undefined> {
  const response = await postMcpText(url, sent, around, AbortSignal.timeout(20_000))
  const text = await response.text()
  if (response.status >= 500) return `status ${response.status}: ${text}`
  if (response.status === 202) return text === '' ? undefined : `a notification was answered: ${text}`
  const answers = readAnswers(response, text)
  if (answers.length !== 1) return `${answers.length} answers: ${text}`
  const [answer] = answers
  if (answer === undefined || !('result' in answer || 'error' in answer)) return `neither result nor error: ${text}`
  const sentId = idOf(sent)
  // An id that could not be read is left out; any other comes back as it was sent.
  if ('id' in answer && answer.id !== sentId) return `sent id ${JSON.stringify(sentId)}, got ${text}`
  return 'result' in answer && !('id' in answer) ? `a result without an id: ${text}` : undefined
}

function readAnswers(response: Response, text: string): Record<string, unknown>[] {
  if (response.headers.get('content-type')?.startsWith('application/json') === true) return [JSON.parse(text)]
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
    .filter((message) => !('method' in message))
}

function idOf(sent: string): unknown {
  try {
    return (JSON.parse(sent) as { readonly id?: unknown } | null)?.id
  } catch {
    return undefined
  }
}
