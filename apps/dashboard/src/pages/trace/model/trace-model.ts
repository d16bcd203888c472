import type { TraceEventItem } from '@synchub/client'
import {
  type CallNode,
  type CallState,
  type EventName,
  isOpenState,
  type ResolutionView,
  shownStateOf,
  TRACE_STATE_ORDER,
  type TraceState,
  type TraceView,
  toolReasonOf,
} from '@synchub/protocol'
import { type Failure, readFailure } from '../../../hub/failure.js'

/** One run of a call. Instants are ms since 1970. */
export interface ModelAttempt {
  readonly number: number
  readonly startedMs: number
  endedMs: number | undefined
  /** Why it was given up, where another followed. */
  reason: string | undefined
}

/** A call as far as its events tell. */
export interface ModelCall {
  readonly callId: string
  readonly parentCallId: string | undefined
  readonly originCallId: string | undefined
  readonly tool: string
  readonly agent: string
  readonly caller: string
  readonly createdMs: number
  readonly attempts: ModelAttempt[]
  state: CallState
  endedMs: number | undefined
  progress: number | undefined
  total: number | undefined
  message: string | undefined
  failure: Failure | undefined
  /** Whether the tool ran and failed. */
  isError: boolean
  /** What the tool then said, as far as that is known. */
  toolReason: string | undefined
  /** What somebody found out about a call that was given up. */
  resolution: ResolutionView | undefined
}

/** State after an event; undefined where it changes none. */
const STATE_AFTER: Partial<Record<EventName, CallState>> = {
  received: 'received',
  accepted: 'queued',
  handed_back: 'queued',
  started: 'running',
  input_requested: 'awaiting_input',
  input_received: 'queued',
  complete: 'completed',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
  unknown: 'unknown',
}

/** A trace as it stood after some of its events. It is folded in place: fifty thousand events take some ten ms. */
export class TraceModel {
  readonly calls = new Map<string, ModelCall>()
  /** Number and instant of the last event that it holds. */
  lastSeq = 0
  lastMs = 0

  /** The trace as the hub tells it at once; of earlier attempts a snapshot knows nothing. */
  static fromSnapshot(trace: TraceView): TraceModel {
    const model = new TraceModel()
    const add = (node: CallNode) => {
      model.calls.set(node.callId, toModelCall(node))
      for (const child of node.children) add(child)
    }
    for (const node of trace.calls) add(node)
    model.lastSeq = trace.lastSeq
    model.lastMs = Date.parse(trace.updatedAt)
    return model
  }

  /** Running while any call is open, else the worst that one ended in. */
  get state(): TraceState {
    const calls = [...this.calls.values()]
    if (calls.some(({ state }) => isOpenState(state))) return 'running'
    const endings = new Set(calls.map(shownStateOf))
    return TRACE_STATE_ORDER.find((ending) => endings.has(ending)) ?? 'running'
  }

  /** Takes the next event. */
  apply({ event, data }: TraceEventItem): void {
    const atMs = Date.parse(data.at)
    this.lastSeq = data.seq
    this.lastMs = atMs
    const call = this.calls.get(data.callId) ?? this.#add(data.callId, data.tool, atMs)
    call.state = STATE_AFTER[event] ?? call.state
    switch (event) {
      case 'received':
        this.calls.set(data.callId, {
          ...call,
          caller: data.caller,
          agent: data.agent,
          parentCallId: data.parentCallId,
          originCallId: data.originCallId,
        })
        return
      case 'started':
        endAttempt(call, atMs, undefined)
        call.attempts.push({ number: data.attempt, startedMs: atMs, endedMs: undefined, reason: undefined })
        call.progress = undefined
        call.message = undefined
        return
      case 'progress':
        call.progress = data.progress
        call.total = data.total
        call.message = data.message
        return
      case 'retrying':
        endAttempt(call, atMs, data.reason)
        return
      case 'handed_back':
      case 'input_requested':
        endAttempt(call, atMs, undefined)
        return
      case 'complete':
        call.isError = data.isError
        call.toolReason = data.isError ? toolReasonOf(data.content) : undefined
        call.progress = data.progress
        call.total = data.total
        this.#end(call, atMs)
        return
      case 'failed':
      case 'refused':
      case 'cancelled':
      case 'unknown':
        call.failure = readFailure(data.error)
        this.#end(call, atMs)
        return
      case 'resolved':
        call.resolution = { at: data.at, by: data.by, reason: data.reason }
        return
      case 'accepted':
      case 'input_received':
    }
  }

  #end(call: ModelCall, atMs: number): void {
    endAttempt(call, atMs, undefined)
    call.endedMs = atMs
  }

  #add(callId: string, tool: string, createdMs: number): ModelCall {
    const call: ModelCall = {
      callId,
      tool,
      createdMs,
      parentCallId: undefined,
      originCallId: undefined,
      agent: '',
      caller: '',
      attempts: [],
      state: 'received',
      endedMs: undefined,
      progress: undefined,
      total: undefined,
      message: undefined,
      failure: undefined,
      isError: false,
      toolReason: undefined,
      resolution: undefined,
    }
    this.calls.set(callId, call)
    return call
  }
}

function endAttempt({ attempts }: ModelCall, atMs: number, reason: string | undefined): void {
  const attempt = attempts.at(-1)
  if (attempt === undefined || attempt.endedMs !== undefined) return
  attempt.endedMs = atMs
  attempt.reason = reason
}

function toModelCall(node: CallNode): ModelCall {
  const instant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text))
  const startedMs = instant(node.startedAt)
  const endedMs = instant(node.endedAt)
  return {
    callId: node.callId,
    parentCallId: node.parentCallId,
    originCallId: node.originCallId,
    tool: node.tool,
    agent: node.agent,
    caller: node.caller,
    createdMs: Date.parse(node.createdAt),
    attempts: startedMs === undefined ? [] : [{ number: node.attempt, startedMs, endedMs, reason: undefined }],
    state: node.state,
    endedMs,
    progress: node.progress?.progress,
    total: node.progress?.total,
    message: node.progress?.message,
    failure: undefined,
    isError: node.isError === true,
    toolReason: undefined,
    resolution: node.resolution,
  }
}
