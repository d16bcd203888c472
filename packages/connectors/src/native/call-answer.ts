import type { AgentObserver, AgentOutcome } from '@synchub/core'
import { HubError, isJsonObject, parseToolResult } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { readJson } from '../answer/json-text.js'
import { ExchangeError } from '../http/exchange-error.js'
import type { EndpointResponse } from '../http/http-endpoint.js'
import { type AnswerBounds, readEventAnswer } from './event-answer.js'
import { parseAsking } from './input-answer.js'
import { parseRpcAnswer } from './rpc-answer.js'

/**
 * Reads the response to `tools/call`.
 * @throws what `outcomeOfThrown` understands
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
    return parseAsking(answer.result) ?? { kind: 'result', result: parseToolResult(answer.result) }
  }
  if (status === 401 || status === 403) {
    const reason = `the agent does not accept the hub's secret (HTTP ${status})`
    return { kind: 'unreachable', error: new HubError('AGENT_UNAVAILABLE', reason) }
  }
  if (status === 429) {
    const reason = 'the agent takes no more calls for now (HTTP 429)'
    return { kind: 'unreachable', error: new HubError('AGENT_UNAVAILABLE', reason) }
  }
  // It, or a gateway before it, failed while the call was with it: nobody knows what was done.
  if (status >= 500) throw new ExchangeError('lost', `the agent, or what stands before it, answered HTTP ${status}`)
  if (isRedirect(status)) throw new BrokenAnswerError(`HTTP ${status} redirects, which is never followed`)
  throw new BrokenAnswerError(`HTTP ${status} came as ${mediaType || 'nothing'}, not as JSON or an event stream`)
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
