import { setTimeout as delay } from 'node:timers/promises'
import type { TraceFeeds } from '../../src/index.js'
import { Collector } from './collector.js'

/**
 * Watches as clients do: comes back with its cursor whenever its stream failed or could not begin.
 * @param after - where it begins; null at the start of the trace
 */
export async function watchPersistently(feeds: TraceFeeds, after: string | null): Promise<Collector> {
  const collector = new Collector()
  for (;;) {
    const failedBefore = collector.failures.length
    try {
      await collector.watch(feeds, { after: collector.lastId ?? after })
    } catch (thrown) {
      collector.failures.push(thrown)
    }
    await collector.until(({ endCount, failures }) => endCount > 0 || failures.length > failedBefore)
    if (collector.endCount > 0) return collector
    await delay(20)
  }
}
