import { HubError } from '@synchub/protocol'
import { Cluster, type Redis } from 'ioredis'
import type { RedisLink } from '../connection/redis-link.js'
import { parseInfo } from '../server/server-info.js'
import { describeMemory, isFull, type MemoryState, readMemory, reserveBytes } from './memory-state.js'

/** How full the store is, as last seen. */
export interface MemoryWatch {
  /** The fullest node; undefined before the first look. */
  current(): MemoryState | undefined
  /** Why no new work may be taken; undefined while there is room. */
  refusal(): HubError | undefined
  stop(): void
}

/** What a watch of the memory works with. */
export interface MemoryWatchOptions {
  /** Pause between two looks, in ms; 1000 by default. */
  readonly everyMs?: number
  /** Told when the store becomes full, and when it has room again. */
  onChange(state: MemoryState, full: boolean): void
}

/**
 * Looks at a pace how full Redis is. New work is refused while only the reserve is left: at `maxmemory` itself Redis refuses every
 * write, and the calls that run could not be recorded any more. While Redis is away the last look counts; calls fail then anyway.
 * @throws HubError HUB_UNAVAILABLE when the first look fails
 */
export async function watchMemory(link: RedisLink, options: MemoryWatchOptions): Promise<MemoryWatch> {
  const { everyMs = 1000, onChange } = options
  let state: MemoryState | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const seen = await link.ask(readFullest)
    const [before, now] = [state !== undefined && isFull(state), isFull(seen)]
    state = seen
    if (before !== now) onChange(seen, now)
  }
  const plan = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      // An outage is told by everything else that asks the store.
      look().then(plan, plan)
    }, everyMs)
  }
  await look()
  plan()
  return {
    current: () => state,
    refusal: () => (state !== undefined && isFull(state) ? storeFull(state) : undefined),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** The failure of work that finds the store full. */
function storeFull({ usedBytes, maxBytes }: MemoryState): HubError {
  const [used, max, reserve] = [usedBytes, maxBytes, reserveBytes(maxBytes)].map(describeMemory)
  const reason = `Redis uses ${used} of its ${max} (maxmemory), and ${reserve} are kept for calls that run; nothing of this call was done`
  return new HubError('STORE_FULL', reason, { retryAfterSeconds: RETRY_SECONDS })
}

const RETRY_SECONDS = 30

/** One node that is full makes the store full: nobody knows before on which node a trace will be. */
async function readFullest(client: Redis | Cluster): Promise<MemoryState> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client]
  const states = await Promise.all(nodes.map(async (node) => readMemory(parseInfo(await node.info('memory')))))
  const [fullest] = states.toSorted((left, right) => freeBytes(left) - freeBytes(right))
  if (fullest === undefined) throw new HubError('HUB_UNAVAILABLE', 'no node of the cluster is known')
  return fullest
}

function freeBytes({ usedBytes, maxBytes }: MemoryState): number {
  return maxBytes === 0 ? Number.POSITIVE_INFINITY : maxBytes - reserveBytes(maxBytes) - usedBytes
}
