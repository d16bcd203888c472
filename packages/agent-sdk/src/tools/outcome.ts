import { AnswerShapeError, HubError, isJsonObject, parseToolResult, type ToolResult } from '@synchub/protocol'
import type { HandlerResult } from './context.js'
import type { AgentTool } from './definition.js'

/** What a handler returned is not what its tool promises: a slip of the author, told to the log and not to the caller. */
class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError'
}

/**
 * Checks what a handler returned in the form in which a reader will get it, after JSON.
 * @param maxAnswerBytes - the largest answer that is sent, in bytes of JSON
 * @throws HandlerResultError naming the place
 */
export function checkHandlerResult(
  tool: AgentTool,
  returned: HandlerResult | string,
  maxAnswerBytes: number,
): ToolResult {
  const result = parseResult(toWire(returned, maxAnswerBytes))
  if (tool.checkOutput === undefined || result.isError) return result
  if (result.structuredContent === undefined) {
    throw new HandlerResultError('the tool has an outputSchema, and its handler returned no structuredContent')
  }
  const violation = tool.checkOutput(result.structuredContent)
  if (violation === undefined) return result
  throw new HandlerResultError(`structuredContent does not keep the outputSchema: ${violation.reason}`)
}

function toWire(returned: unknown, maxAnswerBytes: number): unknown {
  if (typeof returned !== 'string' && !isJsonObject(returned)) {
    throw new HandlerResultError('the handler returned neither a text nor an object')
  }
  const { tokenUsage, ...rest } = typeof returned === 'string' ? textResult(returned) : returned
  const json = encode({ ...rest, _meta: { tokenUsage } })
  const bytes = Buffer.byteLength(json)
  if (bytes > maxAnswerBytes) {
    throw new HandlerResultError(`the answer is ${bytes} bytes of JSON, more than the ${maxAnswerBytes} that are sent`)
  }
  return JSON.parse(json)
}

function textResult(text: string): { content: unknown; tokenUsage?: undefined } {
  return { content: [{ type: 'text', text }] }
}

function encode(value: object): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new HandlerResultError('the handler returned what JSON cannot hold', { cause })
  }
}

function parseResult(value: unknown): ToolResult {
  try {
    return parseToolResult(value)
  } catch (cause) {
    if (!(cause instanceof AnswerShapeError)) throw cause
    throw new HandlerResultError(`the handler's ${cause.path} is broken: expected ${cause.expected}`, { cause })
  }
}

/** What a caller is told of a throw: its own code where the author chose one, else that something failed and no more. */
export function toCallerError(tool: string, thrown: unknown): HubError {
  return HubError.from(thrown, `the tool ${tool} failed unexpectedly`)
}
