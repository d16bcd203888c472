import { v7, validate, version } from 'uuid'
import { takeRandomBytes } from './random-bytes.js'

const RANDOM_BYTES = 16

/** Makes a callId: a UUIDv7, so that ids sort by the time they were made. @param nowMs - milliseconds since 1970 */
export function createCallId(nowMs: number): string {
  return v7({ msecs: nowMs, random: takeRandomBytes(RANDOM_BYTES) })
}

/** Whether `value` can be a callId of this hub. */
export function isCallId(value: unknown): value is string {
  return typeof value === 'string' && validate(value) && version(value) === 7
}
