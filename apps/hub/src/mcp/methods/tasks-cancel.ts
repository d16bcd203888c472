import { HubError } from '@synchub/protocol'
import { cancelVisibleCall } from '../../calls/cancel-visible-call.js'
import type { HubContext } from '../../hub-context.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { findTask } from '../tasks/find-task.js'
import { requireTasks, TASK_PARAMS } from '../tasks/task-request.js'

/**
 * `tasks/cancel`. The modern era acknowledges it, whatever the state; the legacy one answers the cancelled task, and refuses to
 * cancel what is over.
 */
export function tasksCancel(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'tasks/cancel',
    eras: EVERY_ERA,
    params: TASK_PARAMS,
    async handle({ taskId }, call) {
      requireTasks(call)
      const { principal } = call
      const id = String(taskId)
      await findTask(id, principal, context)
      const { cancelled } = await cancelVisibleCall(id, undefined, principal, context)
      if (call.era === 'modern') return { kind: 'complete', result: {} }
      const { task } = await findTask(id, principal, context)
      if (cancelled) return { kind: 'task', task }
      const place = { path: 'taskId', expected: 'a task that goes on' }
      throw new HubError('INVALID_PARAMS', `the task has ended: ${task.statusMessage}`, place)
    },
  })
}
