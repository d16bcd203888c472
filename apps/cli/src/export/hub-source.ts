import { type ArchivedEvent, type ArchiveSource, splitView } from '@synchub/archive'
import type { Client } from '@synchub/client'
import type { CallSummary, CallView, TraceView } from '@synchub/protocol'

/** A trace as an export reads it from its hub: pages of events, and single calls where something is too large for them. */
export function hubSource(client: Client, view: TraceView): ArchiveSource {
  const { trace, calls } = splitView(view)
  const { traceId, owner } = trace
  return {
    trace,
    async *pages() {
      for await (const page of client.eventPages(traceId, { owner })) {
        yield page.map(({ id, event, data }): ArchivedEvent => {
          return { id, event, data: JSON.stringify(data), seq: data.seq, callId: data.callId }
        })
      }
    },
    // A snapshot shows the first thousand.
    callOf: async (callId) => calls.get(callId) ?? toSummary(await client.getCall(callId)),
    async resultOf(callId) {
      const { result, content } = await client.getCall(callId)
      return { callId, ...(result === undefined ? {} : { result }), ...(content === undefined ? {} : { content }) }
    },
  }
}

function toSummary(call: CallView): CallSummary {
  const { arguments: _arguments, result: _result, content: _content, error: _error, links: _links, ...summary } = call
  return summary
}
