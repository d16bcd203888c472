/** An abort of our own that a signal from outside can also trigger. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  /** Aborts, and lets go of the outer signal. */
  abort(reason?: unknown): void
  /** Lets go of the outer signal; to be called when the work has ended. */
  release(): void
}

/**
 * Links a new abort to `outer`. AbortSignal.any would do, but keeps what it made alive as long as the outer signal lives: a
 * watch that reconnects for days would grow with each connection.
 */
export function linkAbort(outer?: AbortSignal): LinkedAbort {
  const controller = new AbortController()
  const release = () => outer?.removeEventListener('abort', follow)
  const abort = (reason?: unknown) => {
    release()
    controller.abort(reason)
  }
  const follow = () => abort(outer?.reason)
  if (outer?.aborted) controller.abort(outer.reason)
  else outer?.addEventListener('abort', follow)
  return { signal: controller.signal, abort, release }
}
