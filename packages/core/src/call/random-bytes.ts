import { randomFillSync } from 'node:crypto'

/** Filled for many at once: asking the system for so few bytes costs more than all the rest of an id. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Random bytes for an id or a mark, to be used up at once: they stand in a pool that is filled anew. @param count - at most 4096 */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
