import type { HubAnswer } from '@synchub/client'
import { HubError, isJsonObject, type JsonObject, type RequestId, readSse } from '@synchub/protocol'
import type { LineOutput } from './line-output.js'

/** Largest message that is taken from a stream of the hub. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** A message of the hub: as it came, and what it says. */
interface HubMessage {
  readonly text: string
  readonly value: JsonObject
}

/** A response that the hub gave to one request. */
export interface HubResponse extends HubMessage {
  readonly isError: boolean
}

/**
 * Reads the answer to one request. What comes before its response (progress, say) is written as it comes; the response itself is
 * returned: null where there is none, which is what a cancelled request gets.
 * @throws HubError when the connection is lost before its end, or what comes is no MCP
 */
export async function readResponse(answer: HubAnswer, id: RequestId, output: LineOutput): Promise<HubResponse | null> {
  if (answer.is('text/event-stream')) return readStream(answer, id, output)
  const text = await answer.text()
  if (text === '' && answer.status < 300) return null
  const message = answer.is('application/json') ? parseMessage(text) : undefined
  const response = message === undefined ? undefined : asResponse(message, id)
  if (response !== undefined) return response
  // A proxy's page, say.
  const code = answer.status >= 502 && answer.status <= 504 ? 'HUB_UNAVAILABLE' : 'CONTRACT_BROKEN'
  throw new HubError(code, `what answers as the hub gave HTTP ${answer.status} without a message of MCP`, {
    nextStep: 'Check that SYNCHUB_URL is the address of a SyncHub hub, and what proxies stand before it.',
  })
}

/**
 * Writes every message of a stream that answers no request, until it ends.
 * @throws HubError as {@link readResponse}
 */
export async function passOnMessages(answer: HubAnswer, output: LineOutput): Promise<void> {
  for await (const { text } of readMessages(answer)) await output.write(text)
}

async function readStream(answer: HubAnswer, id: RequestId, output: LineOutput): Promise<HubResponse | null> {
  for await (const message of readMessages(answer)) {
    const response = asResponse(message, id)
    if (response !== undefined) return response
    await output.write(message.text)
  }
  return null
}

async function* readMessages(answer: HubAnswer): AsyncGenerator<HubMessage> {
  for await (const item of readSse(answer.chunks(), MAX_MESSAGE_BYTES)) {
    if (item.kind !== 'event' || item.data === '') continue
    const message = parseMessage(item.data)
    if (message === undefined) {
      throw new HubError('CONTRACT_BROKEN', 'the hub streamed something that is no message of MCP')
    }
    yield message
  }
}

function parseMessage(text: string): HubMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { text, value } : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** A refusal of HTTP itself carries no id: over lines the request would wait for ever without one. */
function asResponse({ text, value }: HubMessage, id: RequestId): HubResponse | undefined {
  if (typeof value.method === 'string' || !('result' in value || 'error' in value)) return undefined
  const isError = 'error' in value
  if (value.id === id) return { text, value, isError }
  if (!isError || (value.id !== undefined && value.id !== null)) return undefined
  const named = { jsonrpc: '2.0', id, error: value.error }
  return { text: JSON.stringify(named), value: named, isError }
}
