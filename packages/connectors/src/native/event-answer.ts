import type { AgentObserver, AgentOutcome } from '@synchub/core'
import { HubError, isJsonObject, parseToolResult, readSse } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { parseJson } from '../answer/json-text.js'
import { parseAsking } from './input-answer.js'
import { parseRpcError } from './rpc-answer.js'

/** Bounds of what an agent may send. */
export interface AnswerBounds {
  /** Largest event that is no answer, in bytes. */
  readonly maxEventBytes: number
  /** Largest answer, in bytes. */
  readonly maxResultBytes: number
}

/**
 * Reads a stream of events up to the first `complete`, `failed` or `input_required`; what follows it does not count. Comments keep the
 * connection open, but only events show that the agent works.
 * @throws BrokenAnswerError, SseFormatError or AnswerShapeError when it does not keep its contract; ExchangeError when it breaks off
 */
export async function readEventAnswer(
  chunks: AsyncIterable<Uint8Array>,
  observer: AgentObserver,
  { maxEventBytes, maxResultBytes }: AnswerBounds,
): Promise<AgentOutcome> {
  for await (const item of readSse(chunks, maxResultBytes)) {
    if (item.kind !== 'event') continue
    if (item.event === 'complete') return parseComplete(item.data)
    if (item.event === 'failed') return parseFailed(item.data)
    if (item.event === 'input_required') return parseInput(item.data)
    if (item.data.length > maxEventBytes) {
      throw new BrokenAnswerError(`an event is larger than ${maxEventBytes} bytes`)
    }
    if (item.event === 'progress') await observer.onProgress(parseProgress(item.data))
    else observer.onSignOfLife()
  }
  const reason = 'the stream of the agent ended without its last event'
  return { kind: 'lost', error: new HubError('OUTCOME_UNKNOWN', reason) }
}

function parseComplete(text: string): AgentOutcome {
  const data = parseJson(text, 'the data of complete')
  if (!isJsonObject(data)) throw new BrokenAnswerError('the data of complete is no object')
  if (Object.hasOwn(data, 'error')) throw new BrokenAnswerError('the data of complete has an error')
  const { result: structuredContent, content, isError, _meta } = data
  return { kind: 'result', result: parseToolResult({ structuredContent, content, isError, _meta }) }
}

function parseFailed(text: string): AgentOutcome {
  const data = parseJson(text, 'the data of failed')
  if (!isJsonObject(data)) throw new BrokenAnswerError('the data of failed is no object')
  return { kind: 'error', error: parseRpcError(data.error, 'the error of failed') }
}

function parseInput(text: string): AgentOutcome {
  const data = parseJson(text, 'the data of input_required')
  const asking = isJsonObject(data) ? parseAsking({ ...data, resultType: 'input_required' }) : undefined
  if (asking === undefined) throw new BrokenAnswerError('the data of input_required is no object')
  return asking
}

/** Not checked here: what is no progress is refused by the hub's rule, visibly, and the answer can still come. */
function parseProgress(text: string): Parameters<AgentObserver['onProgress']>[0] {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return { progress: text }
  }
  if (!isJsonObject(data)) return { progress: data }
  const { progress, total, message } = data
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }
}
