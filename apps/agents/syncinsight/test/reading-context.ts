import type { Limits } from '../src/configuration/schema.js'
import { configurationSchema } from '../src/configuration/schema.js'
import { resolveWithSystem } from '../src/network/resolution.js'
import { Pace } from '../src/pace/pace.js'
import type { ReadingContext } from '../src/sources/reading.js'

/** The limits that a configuration has by default, with some of them changed. */
export function limitsWith(changes: Partial<Limits> = {}): Limits {
  const { limits } = configurationSchema.parse({ sources: { any: { kind: 'file', path: 'any' } } })
  return { ...limits, ...changes }
}

/** What a reader of sources is given, with some limits changed. */
export function readingContext(
  changes: Partial<Limits> = {},
  signal: AbortSignal = new AbortController().signal,
): ReadingContext {
  const limits = limitsWith(changes)
  return {
    limits,
    budgetBytes: limits.maxTotalBytes,
    maxPassages: 10_000,
    resolveHost: resolveWithSystem,
    pace: new Pace(signal),
    schedule: async (task) => task(),
    onProgress: () => undefined,
  }
}
