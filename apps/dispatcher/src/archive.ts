import { join } from 'node:path'
import { type ArchivedEvent, type ArchiveSource, splitView, writeArchive } from '@synchub/archive'
import { type Clock, type TraceRef, toInstant } from '@synchub/core'
import { createTraceReader, type Store, toCallSummary } from '@synchub/redis'

/** What the archive is written with. */
export interface ArchiveOptions {
  readonly folder: string
  readonly clock: Clock
  /** Told why a trace could not be written. */
  onFailure(thrown: unknown): void
}

const PAGE = 1000

/**
 * Writes traces into the archive before retention removes them, each into the folder of its tenant.
 * @returns a function that is false for a trace that could not be written
 */
export function createArchive({ link, log }: Store, options: ArchiveOptions): (trace: TraceRef) => Promise<boolean> {
  const { folder, clock, onFailure } = options
  const reader = createTraceReader(link)

  const sourceOf = async (trace: TraceRef): Promise<ArchiveSource | null> => {
    const view = await reader.snapshot(trace)
    if (view === null) return null
    const { trace: summary, calls } = splitView(view)
    return {
      trace: summary,
      tenant: trace.tenant,
      async *pages() {
        for (let after: string | null = null; ; ) {
          const page: readonly ArchivedEvent[] = await reader.readAfter(trace, after, PAGE)
          yield page
          const last = page.at(-1)
          if (last === undefined || page.length < PAGE) return
          after = last.id
        }
      },
      async callOf(callId) {
        const call = calls.has(callId) ? null : await log.find(callId)
        return calls.get(callId) ?? (call === null ? null : toCallSummary(call))
      },
      async resultOf(callId) {
        const call = await log.find(callId)
        const ending = call === null ? null : await log.findEnding(call)
        const { result, content } = ending?.data ?? {}
        return { callId, ...(result === undefined ? {} : { result }), ...(content === undefined ? {} : { content }) }
      },
    }
  }

  return async (trace) => {
    try {
      const source = await sourceOf(trace)
      if (source === null) return true
      await writeArchive(join(folder, trace.tenant), source, toInstant(clock.now()))
      return true
    } catch (thrown) {
      onFailure(thrown)
      return false
    }
  }
}
