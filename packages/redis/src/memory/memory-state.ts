import type { ServerInfo } from '../server/server-info.js'

/** How full the memory of a Redis is, in bytes. */
export interface MemoryState {
  /** What counts towards `maxBytes`. */
  readonly usedBytes: number
  /** Its `maxmemory`; 0 where it has none. */
  readonly maxBytes: number
  /** Its `maxmemory-policy`; undefined where it does not tell. */
  readonly policy: string | undefined
}

/** Smallest `maxmemory` that is not warned of: some 10,000 calls. */
const SMALLEST_MEMORY_BYTES = 64 * 1024 * 1024
const RESERVE_SHARE = 0.1
const SMALLEST_RESERVE_BYTES = 8 * 1024 * 1024
const LARGEST_RESERVE_BYTES = 256 * 1024 * 1024
/** Of a memory that is smaller than two reserves half is left to work with. */
const MOST_OF_SMALL = 0.5

/** Reads the answer to `INFO memory`. */
export function readMemory(facts: ServerInfo): MemoryState {
  const read = (name: string) => Number(facts.get(name) ?? 0)
  return {
    // As Redis itself compares: buffers for replicas and for its log do not count.
    usedBytes: read('used_memory') - read('mem_not_counted_for_evict'),
    maxBytes: read('maxmemory'),
    policy: facts.get('maxmemory_policy'),
  }
}

/**
 * What is kept free of new calls, so that those that run can be recorded to their ends: a tenth of `maxmemory`, from 8 to 256 MiB, and
 * never more than half of it.
 */
export function reserveBytes(maxBytes: number): number {
  const share = Math.min(Math.max(maxBytes * RESERVE_SHARE, SMALLEST_RESERVE_BYTES), LARGEST_RESERVE_BYTES)
  return Math.round(Math.min(share, maxBytes * MOST_OF_SMALL))
}

/** Whether only the reserve is left. A Redis without `maxmemory` is never full. */
export function isFull({ usedBytes, maxBytes }: MemoryState): boolean {
  return maxBytes > 0 && usedBytes >= maxBytes - reserveBytes(maxBytes)
}

/** What is wrong with the memory of a Redis, in words; undefined where nothing is. */
export function memoryTrouble(state: MemoryState): string | undefined {
  const { usedBytes, maxBytes, policy } = state
  const [used, max] = [describeMemory(usedBytes), describeMemory(maxBytes)]
  if (policy !== undefined && policy !== 'noeviction') {
    return `Redis drops keys when its memory is full (maxmemory-policy ${policy}): calls are lost`
  }
  if (isFull(state)) return `Redis is full, with ${used} of ${max} (maxmemory) in use: new calls are refused`
  if (maxBytes === 0 || maxBytes >= SMALLEST_MEMORY_BYTES) return undefined
  const wanted = describeMemory(SMALLEST_MEMORY_BYTES)
  return `Redis may use only ${max} (maxmemory) where ${wanted} or more are wanted: new calls are soon refused`
}

/** Bytes for people: `64 MiB`. */
export function describeMemory(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  return `${mebibytes.toFixed(mebibytes < 10 ? 1 : 0)} MiB`
}
