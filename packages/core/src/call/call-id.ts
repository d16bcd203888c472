import { v7, validate, version } from 'uuid'

/** Makes a callId: a UUIDv7, so that ids sort by the time they were made. @param nowMs - milliseconds since 1970 */
export function createCallId(nowMs: number): string {
  return v7({ msecs: nowMs })
}

/** Whether `value` can be a callId of this hub. */
export function isCallId(value: unknown): value is string {
  return typeof value === 'string' && validate(value) && version(value) === 7
}
