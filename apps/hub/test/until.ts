import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 10

/** Waits for a condition; the test's own time limit bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(POLL_MS)
}

/** Waits until `read` gives something. */
export async function eventually<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    await delay(POLL_MS)
  }
}
