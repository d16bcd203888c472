/** Thrown by {@link withinMs} when the time is over. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Waits for `work` for at most `limitMs`. The work itself goes on: it is for waits on BullMQ, which has no time limits of its
 * own and cannot be called off.
 * @throws TimeLimitError when the time is over
 */
export async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(`no answer within ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
