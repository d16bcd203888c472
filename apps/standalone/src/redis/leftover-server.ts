import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../start-error.js'
import { readCommandLine } from './process-identity.js'
import { readErrorCode } from './system-error.js'

/** How long a left-over server may take to write its log to disk before it is killed, in milliseconds. */
const LEFTOVER_PATIENCE_MS = 10_000

/** How long the system may take to end a killed process, in milliseconds; more means that its disk hangs. */
const KILL_PATIENCE_MS = 5_000

/** Pace at which the end of a process that is not our child is looked for, in milliseconds. */
const POLL_INTERVAL_MS = 20

/** A server that a SyncHub which was killed may have left running. */
export interface Leftover {
  /** File in which the server keeps its process number while it runs. */
  readonly pidFile: string
  /** Words in its command line that only servers of this data folder have. */
  readonly title: string
  readonly onProgress: (line: string) => void
}

/**
 * Ends the server of a SyncHub that is gone, if one still runs on the data folder, and waits until it has ended. A process
 * that merely has the number in the file, since numbers come again, is left alone.
 *
 * @throws StartError when the process does not end.
 */
export async function endLeftoverServer({ pidFile, title, onProgress }: Leftover): Promise<void> {
  const pid = await readPid(pidFile)
  if (pid === undefined) return
  const isLeftover = async (): Promise<boolean> => (await readCommandLine(pid))?.includes(title) === true
  const hasEndedWithin = async (patienceMs: number): Promise<boolean> => {
    const givenUpAt = performance.now() + patienceMs
    while (performance.now() < givenUpAt) {
      if (!(await isLeftover())) return true
      await delay(POLL_INTERVAL_MS)
    }
    return false
  }
  if (!(await isLeftover())) return
  onProgress(`Redis: ending the server that an earlier SyncHub left running (process ${pid})`)
  sendSignal(pid, 'SIGTERM')
  if (await hasEndedWithin(LEFTOVER_PATIENCE_MS)) return
  sendSignal(pid, 'SIGKILL')
  if (await hasEndedWithin(KILL_PATIENCE_MS)) return
  throw new StartError(
    `Redis: the server that an earlier SyncHub left running (process ${pid}) does not end.`,
    `End it, then start again: kill -9 ${pid}`,
  )
}

async function readPid(pidFile: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10)
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // ESRCH: it has just ended, which is what was wanted. EPERM is told by the caller, when the process does not end.
    const code = readErrorCode(error)
    if (code === 'ESRCH' || code === 'EPERM') return
    throw error
  }
}
