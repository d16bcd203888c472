import type { Principal } from '@synchub/auth'
import { type CallNode, NameUnknown, type TraceSummary } from '@synchub/protocol'
import { requireOwnLists } from '../../calls/visible-objects.js'
import type { HubContext } from '../../hub-context.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import type { CallTask } from '../tasks/call-task.js'
import { findTask } from '../tasks/find-task.js'
import { encodeTaskState } from '../tasks/task-result.js'

/** Traces that one page looks into; it lists all tasks of them, which may be more or fewer. */
const TRACES = 20

/** `tasks/list` of the legacy era: the caller's own tasks, the newest traces first. */
export function tasksList(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'tasks/list',
    eras: ['legacy'],
    params: { type: 'object', properties: { cursor: { type: 'string' } } },
    async handle({ cursor }, { principal }) {
      requireOwnLists(principal)
      const { tenant, subject: owner } = principal
      const page = await context.list.newest({
        tenant,
        owner,
        filter: {},
        limit: TRACES,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      })
      const tasks = await Promise.all(page.items.map((trace) => tasksOf(trace, principal, context)))
      const { nextCursor } = page
      return { kind: 'complete', result: { tasks: tasks.flat(), ...(nextCursor === undefined ? {} : { nextCursor }) } }
    },
  })
}

async function tasksOf({ traceId, owner }: TraceSummary, principal: Principal, context: HubContext) {
  const view = await context.reader.snapshot({ tenant: principal.tenant, owner, traceId })
  const ids = flatten(view?.calls ?? [])
    .filter(({ mode }) => mode === 'queued')
    .map(({ callId }) => callId)
  const tasks = await Promise.all(ids.map((callId) => findTaskStill(callId, principal, context)))
  return tasks.flatMap((task) => (task === null ? [] : [encodeTaskState('legacy', task)]))
}

/** Null for one whose time is over. */
async function findTaskStill(callId: string, principal: Principal, context: HubContext): Promise<CallTask | null> {
  try {
    return (await findTask(callId, principal, context)).task
  } catch (thrown) {
    if (thrown instanceof NameUnknown) return null
    throw thrown
  }
}

function flatten(calls: readonly CallNode[]): readonly CallNode[] {
  return calls.flatMap((call) => [call, ...flatten(call.children)])
}
