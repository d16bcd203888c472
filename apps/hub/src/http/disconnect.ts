import type { ServerResponse } from 'node:http'

/** Aborts when the client is gone before its answer is written. */
export function disconnectOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    // Every response closes; an abort makes an error with a stack trace, which an answered call need not pay for.
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
