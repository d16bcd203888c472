import { readFileSync } from 'node:fs'
import {
  type ArchivedResult,
  type ArchiveHeader,
  type CallNode,
  type CallSummary,
  encodeArchiveCall,
  encodeArchiveEnd,
  encodeArchiveEvent,
  encodeArchiveHeader,
  encodeArchiveResult,
  isJsonObject,
  type TraceSummary,
  type TraceView,
} from '@synchub/protocol'

/** An event on its way into an archive. */
export interface ArchivedEvent {
  readonly id: string
  readonly event: string
  /** Its data as JSON text. */
  readonly data: string
  readonly seq: number
  readonly callId: string
}

/** Where what an archive holds comes from: a hub, or its store. */
export interface ArchiveSource extends Pick<ArchiveHeader, 'trace' | 'tenant'> {
  /** The events from the first that is kept, in order. */
  pages(): AsyncIterable<readonly ArchivedEvent[]>
  /** The call without its arguments; null where it is gone. */
  callOf(callId: string): Promise<CallSummary | null>
  /** The result of a call that was too large for its event. */
  resultOf(callId: string): Promise<ArchivedResult>
}

/** A trace without its calls, and these by their ids. */
export function splitView(view: TraceView): {
  readonly trace: TraceSummary
  readonly calls: ReadonlyMap<string, CallSummary>
} {
  const { calls, cursor: _cursor, truncated: _truncated, ...trace } = view
  return { trace, calls: new Map([...withChildren(calls)].map((call) => [call.callId, call])) }
}

function* withChildren(nodes: readonly CallNode[]): Generator<CallSummary> {
  for (const { children, ...call } of nodes) {
    yield call
    yield* withChildren(children)
  }
}

const WRITTEN_BY = `synchub ${readVersion()}`

/** The lines of an archive, with nothing of it held but one page. @param writtenAt - instant, ISO 8601 */
export async function* archiveLines(source: ArchiveSource, writtenAt: string): AsyncGenerator<string, undefined> {
  const { trace, tenant } = source
  yield encodeArchiveHeader({ writtenBy: WRITTEN_BY, writtenAt, ...(tenant === undefined ? {} : { tenant }), trace })
  const calls = new Set<string>()
  let events = 0
  for await (const page of source.pages()) {
    for (const event of page) {
      // It has begun anew since it was looked at: what came then belongs to the next archive.
      if (event.seq > trace.lastSeq) continue
      if (!calls.has(event.callId)) {
        calls.add(event.callId)
        const call = await source.callOf(event.callId)
        if (call !== null) yield encodeArchiveCall(call)
      }
      yield encodeArchiveEvent(event)
      events++
      if (event.event === 'complete' && event.data.includes('"resultLink":')) {
        yield encodeArchiveResult(await source.resultOf(event.callId))
      }
    }
  }
  yield encodeArchiveEnd(events)
}

/** All workspaces have one version. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return isJsonObject(manifest) ? String(manifest.version) : ''
}
