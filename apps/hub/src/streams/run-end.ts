import type { ServerResponse } from 'node:http'
import type { ShownRunAccess } from '@synchub/auth'
import { authenticateRun } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'

/** Pause between two looks at the run. */
const LOOK_MS = 2000

/**
 * Cuts what an agent at work reads once its run is over: a stream that was opened under an access token must not outlive it. Nothing
 * is said in it: whoever comes back with the token is told.
 */
export function cutWithRun(
  res: ServerResponse,
  shown: ShownRunAccess,
  { store, config, clock }: Pick<HubContext, 'store' | 'config' | 'clock'>,
): void {
  const look = async (): Promise<void> => {
    try {
      await authenticateRun(shown, { log: store.log, config })
    } catch (thrown) {
      // While the store is away nothing new can be read either.
      if (HubError.from(thrown).code === 'UNAUTHENTICATED') res.destroy()
    }
    if (!res.destroyed) plan()
  }
  let callOff = () => {}
  const plan = () => {
    callOff = clock.schedule(LOOK_MS, () => void look())
  }
  plan()
  res.once('close', () => callOff())
}
