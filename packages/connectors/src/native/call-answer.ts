import type { AgentObserver, AgentOutcome } from '@synchub/core'
import { HubError, isJsonObject, parseToolResult, SseFormatError, ToolResultError } from '@synchub/protocol'
import { BrokenAnswerError } from './broken-answer.js'
import { type AnswerBounds, readEventAnswer } from './event-answer.js'
import { ExchangeError } from './exchange-error.js'
import type { EndpointResponse } from './http-endpoint.js'
import { readJson } from './json-text.js'
import { parseRpcAnswer } from './rpc-answer.js'

/**
 * Reads the response to `tools/call`.
 * @throws what {@link outcomeOfThrown} understands
 */
export async function readCallAnswer(
  response: EndpointResponse,
  callId: string,
  observer: AgentObserver,
  bounds: AnswerBounds,
): Promise<AgentOutcome> {
  const { status, mediaType, chunks } = response
  if (status === 503) return readUnavailable(response, bounds)
  const encoding = response.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw new BrokenAnswerError(`its answer is encoded as ${encoding}, which nobody asked for`)
  if (mediaType === 'text/event-stream' && status === 200) return readEventAnswer(chunks, observer, bounds)
  if (mediaType === 'application/json' && !isRedirect(status)) {
    const answer = parseRpcAnswer(await readJson(chunks, bounds.maxResultBytes), callId)
    if (answer.kind === 'error') return answer
    if (status !== 200) throw new BrokenAnswerError(`HTTP ${status} came with a result`)
    return { kind: 'result', result: parseToolResult(answer.result) }
  }
  if (status === 502 || status === 504) {
    throw new ExchangeError('lost', `a gateway answered HTTP ${status} in the place of the agent`)
  }
  if (isRedirect(status)) throw new BrokenAnswerError(`HTTP ${status} redirects, which is never followed`)
  throw new BrokenAnswerError(`HTTP ${status} came as ${mediaType || 'nothing'}, not as JSON or an event stream`)
}

/** The outcome that an error of {@link readCallAnswer} or of the exchange means; other errors are thrown on. */
export function outcomeOfThrown(thrown: unknown): AgentOutcome {
  if (thrown instanceof ExchangeError) return outcomeOfFailure(thrown)
  const isBroken =
    thrown instanceof BrokenAnswerError || thrown instanceof ToolResultError || thrown instanceof SseFormatError
  if (!isBroken) throw thrown
  return { kind: 'broken', error: new HubError('CONTRACT_BROKEN', thrown.message, { cause: thrown }) }
}

function outcomeOfFailure(error: ExchangeError): AgentOutcome {
  const { failure, message, cause } = error
  switch (failure) {
    case 'aborted':
      return { kind: 'aborted' }
    case 'unreachable':
      return { kind: 'unreachable', error: new HubError('AGENT_UNAVAILABLE', message, { cause }) }
    case 'lost':
      return { kind: 'lost', error: new HubError('OUTCOME_UNKNOWN', message, { cause }) }
    case 'garbled':
      return { kind: 'broken', error: new HubError('CONTRACT_BROKEN', message, { cause }) }
  }
}

/** An agent, or what stands before it, that says 503 has done nothing; its reason is told where it gives one. */
async function readUnavailable({ chunks }: EndpointResponse, { maxEventBytes }: AnswerBounds): Promise<AgentOutcome> {
  const reason = await readReason(chunks, maxEventBytes)
  return { kind: 'unreachable', error: new HubError('AGENT_UNAVAILABLE', reason) }
}

async function readReason(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const unspecified = 'the agent answers HTTP 503'
  try {
    const body = await readJson(chunks, maxBytes)
    const detail =
      isJsonObject(body) && isJsonObject(body.error) && isJsonObject(body.error.data) ? body.error.data.detail : ''
    return typeof detail === 'string' && detail !== '' ? detail : unspecified
  } catch (thrown) {
    if (thrown instanceof ExchangeError && thrown.failure === 'aborted') throw thrown
    return unspecified
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}
