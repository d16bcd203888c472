import type { StopSignal } from '@synchub/core'
import type { HubContext } from '../../hub-context.js'

/** Settles when a stream of changes is over: its reader is gone, the hub stops, or it has reached its greatest age. */
export function untilStreamEnds(gone: StopSignal, { stopping, clock, config }: HubContext): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.schedule(config.streams.maxAgeMs, () => end())
    const end = () => {
      callOff()
      gone.removeEventListener('abort', end)
      stopping.removeEventListener('abort', end)
      resolve()
    }
    gone.addEventListener('abort', end, { once: true })
    stopping.addEventListener('abort', end, { once: true })
    if (gone.aborted || stopping.aborted) end()
  })
}
