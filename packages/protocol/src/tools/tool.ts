import { AnswerShapeError, optionalMember, requireObject, requireText } from '../json-rpc/answer-shape.js'
import type { JsonObject } from '../json-rpc/frame.js'
import { isToolName, TOOL_NAME_RULE } from './names.js'

/** A tool as `tools/list` shows it (MCP `Tool`). */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
}

/** A tool in the hub's own list: the name to call it by, and how the hub runs it. */
export interface ListedTool extends Tool {
  readonly _meta: {
    readonly agent: string
    /** `direct`: a short tool, answered at once. `queued`: a long one, durable and streamed. */
    readonly mode: CallMode
    /** Over MCP for clients that take tasks only. */
    readonly taskOnly?: true
    /** Its agent asks the caller before it works. */
    readonly asksFirst?: true
    /** False while the agent cannot be reached: calls answer AGENT_UNAVAILABLE. */
    readonly available: boolean
  }
}

/** Short tools run `direct`, long ones `queued`. */
export type CallMode = 'direct' | 'queued'

/** Checks one entry of `tools/list`; only what the hub knows is taken over. @throws AnswerShapeError */
export function parseTool(value: unknown): Tool {
  const listed = requireObject(value, 'tool')
  const { name } = listed
  if (!isToolName(name)) throw new AnswerShapeError('name', TOOL_NAME_RULE)
  return {
    name,
    ...optionalMember(listed, 'title', requireText),
    ...optionalMember(listed, 'description', requireText),
    inputSchema: requireObject(listed.inputSchema, 'inputSchema'),
    ...optionalMember(listed, 'outputSchema', requireObject),
    ...optionalMember(listed, 'annotations', requireObject),
  }
}
