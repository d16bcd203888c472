import type { Client } from '@synchub/client'
import {
  type CallNode,
  HubError,
  isBadEnding,
  shownStateOf,
  type TraceSummary,
  type TraceView,
  toolReasonOf,
} from '@synchub/protocol'
import { callsOf } from './trace-calls.js'

/** A trace that ended badly, and why. */
export interface ExplainedTrace extends TraceSummary {
  /** The call that began it: what is run again. */
  readonly rootCallId?: string
  /** The call that ended badly first: what ended badly after it mostly did so for it. */
  readonly cause?: TraceCause
}

/** Where a trace went wrong. */
interface TraceCause {
  readonly callId: string
  readonly agent: string
  readonly tool: string
  /** In the words of the hub, the agent or the tool. */
  readonly reason: string
}

/** Finds out of each trace why it ended badly. One that was removed meanwhile stays as it is. */
export function explainTraces(client: Client, traces: readonly TraceSummary[]): Promise<readonly ExplainedTrace[]> {
  return Promise.all(traces.map((trace) => explainTrace(client, trace)))
}

async function explainTrace(client: Client, trace: TraceSummary): Promise<ExplainedTrace> {
  try {
    const view = await client.trace(trace.traceId, { owner: trace.owner })
    const rootCallId = view.calls[0]?.callId
    const root = rootCallId === undefined ? {} : { rootCallId }
    const first = firstBad(view)
    if (first === undefined) return { ...trace, ...root }
    const { callId, agent, tool } = first
    const { error, content } = await client.getCall(callId)
    const reason = error?.data.detail ?? error?.message ?? toolReasonOf(content) ?? shownStateOf(first)
    return { ...trace, ...root, cause: { callId, agent, tool, reason } }
  } catch (thrown) {
    if (thrown instanceof HubError && thrown.code === 'NOT_FOUND') return trace
    throw thrown
  }
}

function firstBad(trace: TraceView): CallNode | undefined {
  const bad = callsOf(trace).filter((call) => isBadEnding(shownStateOf(call)))
  return bad.toSorted((left, right) => ((left.endedAt ?? '') < (right.endedAt ?? '') ? -1 : 1))[0]
}
