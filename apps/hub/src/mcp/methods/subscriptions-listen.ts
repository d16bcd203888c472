import { HubError, type JsonObject, META_KEYS, NameUnknown } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { watchLists } from '../listen/list-changes.js'
import { readListenWish } from '../listen/listened-kinds.js'
import { isWatchable, MAX_WATCHED_RESOURCES, watchResources } from '../listen/resource-changes.js'
import { untilStreamEnds } from '../listen/stream-end.js'
import { watchTask } from '../listen/task-changes.js'
import { type McpCall, type McpMethod, mcpMethod } from '../mcp-method.js'
import { type FoundTask, findTask } from '../tasks/find-task.js'
import { requireTasks } from '../tasks/task-request.js'
import { encodeTaskState } from '../tasks/task-result.js'

/** Most tasks that one stream tells of. */
const MAX_TASKS = 100

/**
 * `subscriptions/listen`: a stream of changes, acknowledged with the part of the wish that is kept. It ends with its client, with
 * the hub, or at its greatest age; then the client listens again.
 */
export function subscriptionsListen(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'subscriptions/listen',
    eras: ['modern'],
    params: {
      type: 'object',
      properties: {
        notifications: {
          type: 'object',
          properties: {
            taskIds: { type: 'array', maxItems: MAX_TASKS },
            resourceSubscriptions: { type: 'array', maxItems: MAX_WATCHED_RESOURCES },
          },
        },
      },
    },
    async handle({ notifications }, call) {
      if (!call.notices.areRead) {
        throw new HubError('NOT_ACCEPTABLE', 'subscriptions/listen is answered by a stream: accept text/event-stream')
      }
      const { lists, taskIds, resourceUris: wanted } = readListenWish(notifications)
      const resourceUris = wanted.filter(isWatchable)
      if (taskIds.length > 0) requireTasks(call)
      const tasks = await findTasks(taskIds, call, context)
      const stops = [context.streamQuota.take(call.principal)]
      const meta = { [META_KEYS.subscriptionId]: call.id }
      const tell = (method: string, params: JsonObject = {}) => {
        call.notices.send(method, { ...params, _meta: meta })
      }
      tell('notifications/subscriptions/acknowledged', {
        notifications: {
          ...Object.fromEntries(lists.map((kind) => [kind, true])),
          ...(wanted.length === 0 ? {} : { resourceSubscriptions: resourceUris }),
          ...(taskIds.length === 0 ? {} : { taskIds: tasks.map(({ task }) => task.taskId) }),
        },
      })
      try {
        stops.push(watchLists(lists, call.principal, context, tell))
        if (resourceUris.length > 0) {
          const onResource = (uri: string) => tell('notifications/resources/updated', { uri })
          stops.push(await watchResources(async () => resourceUris, call.principal, context, onResource))
        }
        for (const { call: record } of tasks) {
          const onTask = (task: FoundTask['task']) => tell('notifications/tasks', encodeTaskState('modern', task))
          stops.push(await watchTask(record, call.principal, context, onTask))
        }
        await untilStreamEnds(call.gone, context)
      } finally {
        for (const stop of stops) stop()
      }
      return { kind: 'complete', result: { _meta: meta } }
    },
  })
}

/** Those that the caller may see; the others are left out, as those that never were. */
async function findTasks(ids: readonly string[], { principal }: McpCall, context: HubContext): Promise<FoundTask[]> {
  const found: FoundTask[] = []
  for (const id of ids) {
    try {
      found.push(await findTask(id, principal, context))
    } catch (thrown) {
      if (!(thrown instanceof NameUnknown)) throw thrown
    }
  }
  return found
}
