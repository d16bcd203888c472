import { type ErrorCode, HubError } from '@synchub/protocol'
import { type Clock, pause } from '../clock.js'
import { type StopSignal, StopSwitch } from '../stop-switch.js'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const MAX_TRIES = 20
const AWAY: ReadonlySet<ErrorCode> = new Set(['HUB_UNAVAILABLE', 'STORE_FULL'])

/**
 * Repeats a write that must not be lost while the store is away or full (more than a minute). Only for steps that may be
 * repeated: a change that an attempt makes is fenced, and refused where it was made already.
 * @param giveUp - once it aborts, nothing is waited for any more: a process that stops leaves the rest to the sweep
 * @throws the last failure
 */
export async function withStorePatience<T>(
  clock: Clock,
  write: () => Promise<T>,
  giveUp: StopSignal = new StopSwitch(),
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (thrown) {
      const away = thrown instanceof HubError && AWAY.has(thrown.code)
      if (!away || tries === MAX_TRIES || giveUp.aborted) throw thrown
      await pause(clock, Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS), giveUp)
    }
  }
}
