import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { findMarkedProcesses, PROCESS_MARK } from './marked-processes.js'

const POLL_INTERVAL_MS = 20

/** How long a group that was told to end has before it is killed, in seconds, when nobody is left to wait for it. */
const ORPHAN_GRACE_SECONDS = 2

/** A process with all that it has started. */
export interface ProcessTree {
  /** Its number, which is that of its group too. */
  readonly leader: number
  /** Value of the mark in its environment. */
  readonly mark: string
}

/**
 * Waits, in a session of its own, for the end of our process: its standard input closes then, however we ended, and it ends the
 * group, and by force what has left it. One word beforehand lets it go.
 */
const GUARD_SCRIPT = `trap '' INT TERM HUP
read -r word || {
  kill -TERM "-$1"; sleep ${ORPHAN_GRACE_SECONDS}; kill -KILL "-$1"
  for file in $(grep -lF "${PROCESS_MARK}=$2" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}; kill -KILL "\${pid%/environ}"
  done
} 2>/dev/null`

/**
 * Ends a process and all that it has started: its group first, then what has left that.
 * @param graceMs - how long either may take after TERM before KILL ends them
 */
export async function endProcessTree({ leader, mark }: ProcessTree, graceMs: number): Promise<void> {
  await endGroup(leader, graceMs)
  await endStrays(mark, graceMs)
}

async function endGroup(leader: number, graceMs: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (const endsAt = performance.now() + graceMs; performance.now() < endsAt; ) {
    if (!signalGroup(leader, 0)) return
    await pause(POLL_INTERVAL_MS)
  }
  signalGroup(leader, 'SIGKILL')
}

async function endStrays(mark: string, graceMs: number): Promise<void> {
  let strays = await findMarkedProcesses(mark)
  if (strays.length === 0) return
  for (const pid of strays) signal(pid, 'SIGTERM')
  for (const endsAt = performance.now() + graceMs; performance.now() < endsAt; ) {
    await pause(POLL_INTERVAL_MS)
    strays = await findMarkedProcesses(mark)
    if (strays.length === 0) return
  }
  for (const pid of strays) signal(pid, 'SIGKILL')
}

/**
 * Ends a process and all that it has started should our own process die without being able to, by `kill -9` for example.
 * @returns lets them be
 */
export function guardProcessTree({ leader, mark }: ProcessTree, onFailure: (error: Error) => void): () => void {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'synchub-guard', String(leader), mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
  })
  guard.on('error', onFailure)
  guard.stdin.on('error', onFailure)
  guard.unref()
  return () => guard.stdin.end('released\n')
}

/** False when nobody is left in the group. */
function signalGroup(leader: number, name: NodeJS.Signals | 0): boolean {
  return signal(-leader, name)
}

/** False when nobody is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    if (code === 'ESRCH') return false
    // One that has become another user is out of our reach, but it is there.
    if (code === 'EPERM') return true
    throw error
  }
}
