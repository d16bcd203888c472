import type { HubContext } from '../../hub-context.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { findTask } from '../tasks/find-task.js'
import { requireTasks, TASK_PARAMS } from '../tasks/task-request.js'

/** `tasks/get`: how a task stands; in the modern era with what came of it. */
export function tasksGet(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'tasks/get',
    eras: EVERY_ERA,
    params: TASK_PARAMS,
    async handle({ taskId }, call) {
      requireTasks(call)
      const { task } = await findTask(String(taskId), call.principal, context)
      return { kind: 'task', task }
    },
  })
}
