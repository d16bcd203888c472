import { randomFillSync } from 'node:crypto'
import { v7, validate, version } from 'uuid'

const RANDOM_BYTES = 16
/** Filled for many ids at once: asking the system for so few bytes costs more than all the rest of an id. */
const pool = new Uint8Array(256 * RANDOM_BYTES)
let used = pool.length

function nextRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/** Makes a callId: a UUIDv7, so that ids sort by the time they were made. @param nowMs - milliseconds since 1970 */
export function createCallId(nowMs: number): string {
  return v7({ msecs: nowMs, random: nextRandom() })
}

/** Whether `value` can be a callId of this hub. */
export function isCallId(value: unknown): value is string {
  return typeof value === 'string' && validate(value) && version(value) === 7
}
