import type { AgentCallRequest, AgentOutcome } from '@synchub/core'
import { type JsonObject, parseInputRequired } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'

/**
 * Reads an answer that asks the caller first (docs/PROTOCOL.md, section 6); undefined for every other result.
 * @throws AnswerShapeError or BrokenAnswerError where it asks nothing that a caller could answer
 */
export function parseAsking(result: unknown): (AgentOutcome & { kind: 'input' }) | undefined {
  const input = parseInputRequired(result)
  if (input === undefined) return undefined
  // Over MCP a state alone means "ask again"; a native agent keeps the connection and works on.
  if (Object.keys(input.inputRequests).length === 0)
    throw new BrokenAnswerError('the agent wants input and asks nothing')
  return { kind: 'input', input }
}

/** What of `params` brings the answers of the caller, with the state that the agent gave along. */
export function inputParams({ input }: AgentCallRequest): JsonObject {
  if (input === undefined) return {}
  const { responses: inputResponses, requestState } = input
  return {
    inputResponses,
    ...(requestState === undefined ? {} : { requestState }),
  }
}
