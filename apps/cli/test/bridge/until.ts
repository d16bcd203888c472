import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 10

/** Waits for a condition; the test's own time limit bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(POLL_MS)
}
