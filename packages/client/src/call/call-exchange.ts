import { type CallResult, HubError, isJsonObject } from '@synchub/protocol'
import { isTransient, parseJson, unreachable } from '../connection/failure.js'
import type { HubAnswer } from '../connection/hub-answer.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { readRpcResult } from '../rpc/rpc-request.js'
import { readAnswerSse } from '../watch/trace-stream.js'
import type { CallProgress } from './call-progress.js'
import type { CallRequest } from './call-request.js'
import { failureOf, resultOfAnswer, resultOfCompletion } from './outcome.js'

/**
 * Posts a call once and reads the answer, be it JSON or the call's own stream. `open` when the hub has the call but this
 * connection will not tell its outcome: it was cut, or the hub waits no longer.
 * @throws HubError what the call ended with; HUB_UNAVAILABLE when it is not known whether the hub has the call
 */
export async function exchangeCall(
  connection: HubConnection,
  request: CallRequest,
  progress: CallProgress,
  signal: AbortSignal,
): Promise<CallResult | 'open'> {
  const answer = await connection.send({
    method: 'POST',
    path: '/rpc',
    accept: 'text/event-stream, application/json',
    body: request.body,
    signal,
  })
  const { headers } = answer
  try {
    if (answer.status >= 400) throw await connection.failureOf(answer)
    // A key that was made up here is nobody else's: what it finds again is what this very call had begun.
    progress.isReplayed = request.isOwnKey && headers.get('synchub-replayed') === 'true'
    progress.learn({ callId: headers.get('synchub-call-id'), traceId: headers.get('synchub-trace-id') })
    if (answer.is('text/event-stream')) return await readCallStream(connection, answer, progress)
    return resultOfAnswer(connection.baseUrl, readRpcResult(connection.baseUrl, await connection.jsonOf(answer)))
  } catch (thrown) {
    if (!(thrown instanceof HubError) || !leavesCallOpen(thrown)) throw thrown
    progress.learn(thrown.details)
    if (progress.callId !== undefined) return 'open'
    throw thrown
  }
}

/**
 * Whether the failure is one of this exchange rather than the call's own. A hub that loses its store says so on the stream
 * too, and DEADLINE_EXCEEDED may mean the hub's wait or the call's end: the call's record tells which.
 */
function leavesCallOpen(error: HubError): boolean {
  return error.code === 'DEADLINE_EXCEEDED' || isTransient(error)
}

/** A stream that ends without a terminal event says nothing about the call: least of all that it succeeded. */
async function readCallStream(
  connection: HubConnection,
  answer: HubAnswer,
  progress: CallProgress,
): Promise<CallResult | 'open'> {
  for await (const item of readAnswerSse(connection, answer)) {
    const data = item.kind === 'event' ? parseJson(item.data) : undefined
    if (item.kind !== 'event' || !isJsonObject(data)) continue
    progress.learn(data)
    progress.cursor = item.id ?? progress.cursor
    if (item.event === 'progress') progress.report(data)
    else if (item.event === 'complete') {
      return data.resultLink === undefined ? resultOfCompletion(connection.baseUrl, data) : 'open'
    } else if (isJsonObject(data.error)) throw failureOf(data.error, progress.ids)
  }
  throw unreachable(connection.baseUrl, 'closed the stream before the call had ended', undefined)
}
