import { randomUUID } from 'node:crypto'
import { afterEach, describe, test } from '@jest/globals'
import fc from 'fast-check'
import { TRACE } from '../call/sample-call.js'
import { openTestFeeds } from '../feed/test-feeds.js'
import { closeAll } from '../place/cleanup.js'
import { SHARED_REDIS } from '../place/redis-place.js'
import { openTestStore } from '../place/test-store.js'
import { type Holder, RecordCall, TryStep } from './call-commands.js'
import { MOVES, type Move } from './call-model.js'
import { CompareLog, JoinWatcher, LoseTrace, TrimLog } from './log-commands.js'
import type { RealTrace, TraceModel } from './trace-model.js'

const holder = fc.constantFrom<Holder>('current', 'current', 'current', 'earlier', 'lost', 'none')
const move = fc.constantFrom(...(Object.keys(MOVES) as Move[]), 'progress' as const, 'started' as const)

const COMMANDS = [
  fc.constantFrom<'direct' | 'queued'>('direct', 'queued').map((mode) => new RecordCall(mode)),
  fc.tuple(fc.nat(3), move, holder, fc.nat(20)).map((step) => new TryStep(...step)),
  fc.tuple(fc.nat(3), move, holder, fc.nat(20)).map((step) => new TryStep(...step)),
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()).map((place) => new JoinWatcher(...place)),
  fc.constant(new CompareLog()),
  fc.constant(new TrimLog()),
  fc.constant(new LoseTrace()),
]

/** Holds the store against the model, in as many runs of up to so many commands. */
export function describeModel(runs: number, maxCommands: number, timeoutMs: number): void {
  afterEach(closeAll)

  describe('calls and the log of their trace', () => {
    test(
      'are what a simple model says, whatever is done to them',
      async () => {
        const store = await openTestStore(SHARED_REDIS)
        const feeds = openTestFeeds(store, { checkMs: 1 })
        const property = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands, size: 'max' }), async (commands) => {
          const trace = { ...TRACE, traceId: `model-${randomUUID()}` }
          const model: TraceModel = { calls: [], events: [], trimmed: 0 }
          const real: RealTrace = { store, feeds, trace, watchers: [], lostIds: [] }
          try {
            await fc.asyncModelRun(() => ({ model, real }), commands)
            await new CompareLog().run(model, real)
          } finally {
            for (const { collector } of real.watchers) collector.close()
          }
        })
        // A command that waits for what never comes is a failure too, with its seed and path.
        await fc.assert(property, { numRuns: runs, timeout: 20_000, endOnFailure: true })
      },
      timeoutMs,
    )
  })
}
