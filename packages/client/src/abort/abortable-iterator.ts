import type { LinkedAbort } from './linked-abort.js'

/**
 * A generator whose `return()`, so also leaving a `for await`, takes effect at once: a generator takes a return only once its
 * pending read has settled, and the abort settles it.
 */
export function abortableIterator<Item>(
  items: AsyncGenerator<Item, undefined>,
  abort: LinkedAbort,
): AsyncIterableIterator<Item> {
  return {
    next: () => items.next(),
    return: () => {
      abort.abort()
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
