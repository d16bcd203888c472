import { setTimeout as pause } from 'node:timers/promises'

/** Waits for a condition that nobody tells of. @throws Error when it does not come */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 10_000,
): Promise<void> {
  for (const endsAt = performance.now() + timeoutMs; performance.now() < endsAt; await pause(10)) {
    if (await condition()) return
  }
  throw new Error(`it has not come to this in ${timeoutMs} ms: ${what}`)
}
