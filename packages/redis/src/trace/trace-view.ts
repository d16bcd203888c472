import { type CallRecord, type Resolution, type TraceRef, toInstant } from '@synchub/core'
import {
  type CallEnding,
  type CallNode,
  type CallSummary,
  type ResolutionView,
  TRACE_STATE_ORDER,
  type TraceState,
  type TraceSummary,
  type TraceView,
} from '@synchub/protocol'
import { decodeCall } from '../call/call-fields.js'

/** Reads a trace's fields (field, value, field, value ...) as a list shows them. */
export function toTraceSummary({ traceId, owner }: TraceRef, flat: readonly string[]): TraceSummary {
  const fields = toFields(flat)
  const number = (name: string) => Number(fields.get(name) ?? 0)
  const openCalls = number('open')
  return {
    traceId,
    owner,
    state: stateOf(openCalls, (ending) => number(`n:${ending}`)),
    rootTool: fields.get('rootTool') ?? '',
    rootAgent: fields.get('rootAgent') ?? '',
    caller: fields.get('caller') ?? '',
    callCount: number('calls'),
    openCalls,
    lastSeq: number('seq'),
    ...(fields.has('firstSeq') ? { firstSeq: number('firstSeq') } : {}),
    createdAt: toInstant(number('createdAtMs')),
    updatedAt: toInstant(number('atMs')),
    ...(openCalls === 0 && number('endedSeq') === number('seq') ? { endedAt: toInstant(number('endedAtMs')) } : {}),
    links: linksOfTrace(traceId),
  }
}

/** Reads a trace with its calls as a snapshot shows them. */
export function toTraceView(trace: TraceRef, flat: readonly string[], calls: readonly (string | null)[][]): TraceView {
  const summary = toTraceSummary(trace, flat)
  const records = calls.map((values) => decodeCall(trace, values)).filter((call) => call !== null)
  return {
    ...summary,
    cursor: toFields(flat).get('id') ?? '',
    calls: toTree(records.map(toCallSummary)),
    truncated: records.length < summary.callCount,
  }
}

/** A call as lists and trees show it. */
export function toCallSummary(call: CallRecord): CallSummary {
  return {
    callId: call.callId,
    traceId: call.trace.traceId,
    ...(call.parentCallId === undefined ? {} : { parentCallId: call.parentCallId }),
    ...(call.originCallId === undefined ? {} : { originCallId: call.originCallId }),
    tool: call.tool,
    agent: call.agent,
    caller: call.caller,
    state: call.state,
    mode: call.mode,
    attempt: call.attempt,
    ...(call.progress === undefined ? {} : { progress: call.progress }),
    createdAt: toInstant(call.createdAtMs),
    ...(call.startedAtMs === undefined ? {} : { startedAt: toInstant(call.startedAtMs) }),
    ...(call.endedAtMs === undefined ? {} : { endedAt: toInstant(call.endedAtMs) }),
    ...(call.isError === undefined ? {} : { isError: call.isError }),
    ...(call.resolution === undefined ? {} : { resolution: toResolutionView(call.resolution) }),
  }
}

/** What became of a call that was given up, as lists and answers show it. */
export function toResolutionView({ atMs, by, reason }: Resolution): ResolutionView {
  return { at: toInstant(atMs), by, reason }
}

function toFields(flat: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 0; at < flat.length; at += 2) fields.set(flat[at] ?? '', flat[at + 1] ?? '')
  return fields
}

function stateOf(openCalls: number, countOf: (ending: CallEnding) => number): TraceState {
  if (openCalls > 0) return 'running'
  return TRACE_STATE_ORDER.find((ending) => countOf(ending) > 0) ?? 'running'
}

function toTree(calls: readonly CallSummary[]): readonly CallNode[] {
  const nodes = new Map(calls.map((call) => [call.callId, { ...call, children: [] as CallNode[] }]))
  const roots: CallNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parentCallId === undefined ? undefined : nodes.get(node.parentCallId)
    if (parent === undefined) roots.push(node)
    else parent.children.push(node)
  }
  return roots
}

function linksOfTrace(traceId: string): TraceSummary['links'] {
  const self = `/traces/${traceId}`
  return { self, events: `${self}/events` }
}
