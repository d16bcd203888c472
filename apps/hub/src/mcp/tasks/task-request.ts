import { declaresTasks, type JsonObject, missingCapability, TASKS_EXTENSION } from '@synchub/protocol'
import type { McpCall } from '../mcp-method.js'

/** JSON Schema of the parameters of a method about one task. Some clients send a `task` along, which says nothing here. */
export const TASK_PARAMS: JsonObject = {
  type: 'object',
  required: ['taskId'],
  properties: { taskId: { type: 'string' } },
}

/**
 * In the modern era tasks are for clients that declare the extension with each request.
 * @throws RevisionError
 */
export function requireTasks({ era, clientCapabilities }: McpCall): void {
  if (era === 'legacy' || declaresTasks(clientCapabilities)) return
  throw missingCapability(TASKS_EXTENSION, { extensions: { [TASKS_EXTENSION]: {} } })
}
