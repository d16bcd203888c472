import { isJsonObject, type QueueView } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'

/** How much stands in the queue of each agent (`GET /queues`). @throws HubError FORBIDDEN without the scope `queues:read` */
export async function listQueues(connection: HubConnection, signal?: AbortSignal): Promise<readonly QueueView[]> {
  const list = await connection.json({ method: 'GET', path: '/queues', signal })
  if (isJsonObject(list) && isQueues(list.queues)) return list.queues
  throw notOurHub(connection.baseUrl, 'answered /queues with something that is no list of queues')
}

function isQueues(value: unknown): value is readonly QueueView[] {
  if (!Array.isArray(value)) return false
  return value.every(
    (queue) => isJsonObject(queue) && typeof queue.agent === 'string' && typeof queue.waiting === 'number',
  )
}
