import type { ServerResponse } from 'node:http'
import { type StopSignal, StopSwitch } from '@synchub/core'

/** Aborts when the client is gone before its answer is written. */
export function disconnectOf(res: ServerResponse): StopSignal {
  const controller = new StopSwitch()
  res.once('close', () => {
    // Every response closes, an answered one too.
    if (!res.writableFinished) controller.abort()
  })
  return controller
}
