import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_INTERVAL_MS = 20

/** How long a group that was told to end has before it is killed, in seconds, when nobody is left to wait for it. */
const ORPHAN_GRACE_SECONDS = 2

/**
 * Waits, in a session of its own, for the end of our process: its standard input closes then, however we ended, and it ends the
 * group. One word beforehand lets it go.
 */
const GUARD_SCRIPT = `trap '' INT TERM HUP
read -r word || { kill -TERM "-$1"; sleep ${ORPHAN_GRACE_SECONDS}; kill -KILL "-$1"; } 2>/dev/null`

/**
 * Ends a process and all that it has started, as far as they are still in its group.
 * @param graceMs - how long they may take after TERM before KILL ends them
 */
export async function endProcessGroup(leader: number, graceMs: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return
  for (const endsAt = performance.now() + graceMs; performance.now() < endsAt; ) {
    if (!signalGroup(leader, 0)) return
    await pause(POLL_INTERVAL_MS)
  }
  signalGroup(leader, 'SIGKILL')
}

/**
 * Ends the group of `leader` should our own process die without being able to, by `kill -9` for example.
 * @returns lets the group be
 */
export function guardProcessGroup(leader: number, onFailure: (error: Error) => void): () => void {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'synchub-guard', String(leader)], {
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
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal)
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    if (code === 'ESRCH') return false
    // One that has become another user is out of our reach, but it is there.
    if (code === 'EPERM') return true
    throw error
  }
}
