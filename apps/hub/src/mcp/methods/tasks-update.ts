import { isJsonObject } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { findOwnTask } from '../tasks/find-task.js'
import { requireTasks, TASK_PARAMS } from '../tasks/task-request.js'

const PARAMS = { ...TASK_PARAMS, properties: { taskId: { type: 'string' }, inputResponses: { type: 'object' } } }

/** `tasks/update`: answers to what a task asks; what it did not ask for is ignored. */
export function tasksUpdate(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'tasks/update',
    eras: ['modern'],
    params: PARAMS,
    async handle({ taskId, inputResponses }, call) {
      requireTasks(call)
      const found = await findOwnTask(String(taskId), call.principal, context)
      await context.calls.answer(found.call, isJsonObject(inputResponses) ? inputResponses : {})
      return { kind: 'complete', result: {} }
    },
  })
}
