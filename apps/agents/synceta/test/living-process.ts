import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Whether a process lives; one that has ended and was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH' || code === 'ENOENT') return false
    throw error
  }
}

/** Resolves once none of the processes lives: one that was ended by force may take a moment to go. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(10)
}
