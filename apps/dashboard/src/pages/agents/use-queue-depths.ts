import type { QueueView } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../hub/hub-client.js'
import { useMayReadQueues } from '../../session/session.js'

/** Calls come and go in a queue without a notice; this often they are counted, in ms. */
const COUNT_INTERVAL_MS = 3000

/** How much stands before each agent, by its name; undefined for those who may not see it, and until it is known. */
export function useQueueDepths(): ReadonlyMap<string, QueueView> | undefined {
  const { data } = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => hub.queues({ signal }),
    enabled: useMayReadQueues(),
    refetchInterval: COUNT_INTERVAL_MS,
  })
  return data === undefined ? undefined : new Map(data.map((queue) => [queue.agent, queue]))
}
