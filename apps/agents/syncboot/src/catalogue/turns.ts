/** Lets one piece of work run at a time for each key. */
export interface Turns {
  /** Runs `work` once all earlier work of the same key has ended, well or not. */
  readonly take: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

/** Creates turns for any number of keys; a key costs nothing once its last work has ended. */
export function createTurns(): Turns {
  const lastByKey = new Map<string, Promise<unknown>>()
  return {
    take(key, work) {
      const result = (lastByKey.get(key) ?? Promise.resolve()).then(work)
      // Only its end matters to who comes next; how it ended is the business of whoever asked for it.
      const ended = Promise.allSettled([result]).then(() => {
        if (lastByKey.get(key) === ended) lastByKey.delete(key)
      })
      lastByKey.set(key, ended)
      return result
    },
  }
}
