import { mayReadQueues } from '@synchub/auth'
import { HubError, type QueueList } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import type { Operation } from './operation.js'

/** `GET /queues`: how much stands in the queue of each agent. @throws HubError FORBIDDEN without the scope */
export function getQueues({ config, store }: HubContext): Operation {
  return {
    method: 'get',
    path: '/queues',
    async handle({ principal }) {
      if (!mayReadQueues(principal))
        throw new HubError('FORBIDDEN', 'the scope queues:read is needed to see the queues')
      const body: QueueList = { queues: await store.queue.depths([...config.agents.keys()].toSorted()) }
      return { body }
    },
  }
}
