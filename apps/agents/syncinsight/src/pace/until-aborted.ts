/**
 * Waits for `work`, but no longer than until `signal` aborts: some work, such as a name look-up, cannot be stopped, and nobody has to
 * wait for it.
 * @throws the signal's reason once it is aborted
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
