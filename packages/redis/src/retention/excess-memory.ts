import { HubError } from '@synchub/protocol'
import { Cluster } from 'ioredis'
import type { RedisClient } from '../connection/redis-link.js'
import { type MemoryState, readMemory } from '../memory/memory-state.js'
import { parseInfo, type ServerInfo } from '../server/server-info.js'

/** What is kept at most where neither configuration nor Redis names a bound. */
const DEFAULT_BYTES = 1024 * 1024 * 1024
/** Of `maxmemory`; new calls are refused only above that. */
const SHARE = 0.75

/**
 * By how many bytes a Redis, or all nodes of a cluster together, hold more than they may; 0 or less where they do not. Each node of a
 * cluster counts by its own `maxmemory`: the fullest one speaks for all, since traces are spread evenly.
 */
export async function excessOf(client: RedisClient, maxBytes: number | undefined): Promise<number> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client]
  if (nodes.length === 0) throw new HubError('HUB_UNAVAILABLE', 'no node of the cluster is known')
  const infos = await Promise.all(nodes.map(async (node) => parseInfo(await node.info('memory'))))
  // What was removed a moment ago is freed in the background, and must not be removed once more.
  if (infos.some(isFreeing)) return 0
  const states = infos.map(readMemory)
  const used = states.reduce((sum, { usedBytes }) => sum + usedBytes, 0)
  if (maxBytes !== undefined) return used - maxBytes
  if (states.some(({ maxBytes: own }) => own === 0)) return used - DEFAULT_BYTES
  return Math.max(...states.map(excessOfNode)) * nodes.length
}

function excessOfNode({ usedBytes, maxBytes }: MemoryState): number {
  return usedBytes - maxBytes * SHARE
}

function isFreeing(info: ServerInfo): boolean {
  return Number(info.get('lazyfree_pending_objects') ?? 0) > 0
}
