import { fromErrorObject, type HubError, isJsonObject } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'

/** What a JSON-RPC response holds. */
export type RpcAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: HubError }

/**
 * Reads a JSON-RPC response.
 * @param id - of the request. An error may come with the id null: the agent refused before it had read the id
 * @throws BrokenAnswerError naming the place
 */
export function parseRpcAnswer(value: unknown, id: string): RpcAnswer {
  if (!isJsonObject(value)) throw new BrokenAnswerError('the answer is no JSON object')
  if (value.jsonrpc !== '2.0') throw new BrokenAnswerError('the answer\'s "jsonrpc" is not "2.0"')
  const hasResult = Object.hasOwn(value, 'result')
  const hasError = Object.hasOwn(value, 'error')
  if (hasResult && hasError) throw new BrokenAnswerError('the answer has both a result and an error')
  if (!hasResult && !hasError) throw new BrokenAnswerError('the answer has neither a result nor an error')
  if (value.id !== id && !(hasError && value.id === null)) {
    throw new BrokenAnswerError("the answer's id is not that of the request")
  }
  return hasResult
    ? { kind: 'result', result: value.result }
    : { kind: 'error', error: parseRpcError(value.error, 'error') }
}

/**
 * Reads a JSON-RPC error object.
 * @throws BrokenAnswerError naming `place` when it is none
 */
export function parseRpcError(value: unknown, place: string): HubError {
  if (!isJsonObject(value)) throw new BrokenAnswerError(`${place} is no object`)
  if (!Number.isInteger(value.code)) throw new BrokenAnswerError(`${place}.code is no whole number`)
  if (typeof value.message !== 'string') throw new BrokenAnswerError(`${place}.message is no text`)
  return fromErrorObject(value)
}
