import { type CallRecord, createCallId, type EventDraft, type NewCall, type TraceRef } from '@synchub/core'
import type { JsonObject } from '@synchub/protocol'
import type { TestStore } from '../place/test-store.js'

export const TRACE: TraceRef = { tenant: 'acme', owner: 'alice', traceId: 'trace-1' }

/** A call as admission drafts it. */
export function newCall(overrides: Partial<NewCall> = {}): NewCall {
  return {
    callId: createCallId(Date.now()),
    trace: TRACE,
    caller: 'SyncVerse',
    agent: 'SyncBoot',
    tool: 'generate_schema',
    mode: 'queued',
    toolRevision: 'r1',
    arguments: { domain: 'orders' },
    hubId: 'hub-1',
    ...overrides,
  }
}

export const RECEIVED = { event: 'received', data: { caller: 'SyncVerse', agent: 'SyncBoot' } } as const
export const ACCEPTED = { event: 'accepted', data: {} } as const
export const REFUSED = { event: 'refused', data: { error: failure('not allowed') } } as const
export const FAILED = { event: 'failed', data: { error: failure('broken') } } as const
export const CANCELLED = { event: 'cancelled', data: { error: failure('cancelled') } } as const
export const UNKNOWN = { event: 'unknown', data: { error: failure('nobody knows') } } as const
export const started = (attempt: number) => ({ event: 'started', data: { attempt } }) as const
export const progress = (value: number, more: JsonObject = {}) =>
  ({ event: 'progress', data: { progress: value, ...more } }) as const

export function complete(result: unknown = { ok: true }, more: JsonObject = {}) {
  const data: JsonObject = {
    progress: 100,
    total: 100,
    result,
    content: [],
    isError: false,
    executionTimeMs: 5,
    ...more,
  }
  return { event: 'complete', data } as const
}

function failure(message: string): JsonObject {
  return { code: -32000, message }
}

/** Records a call that waits in its queue. */
export async function recordQueued({ log }: TestStore, overrides: Partial<NewCall> = {}): Promise<NewCall> {
  const call = newCall(overrides)
  await log.record(call, [RECEIVED, ACCEPTED])
  return call
}

/** Records a call that runs as attempt 1. */
export async function recordRunning({ log }: TestStore, overrides: Partial<NewCall> = {}): Promise<NewCall> {
  const call = newCall({ mode: 'direct', ...overrides })
  await log.record(call, [RECEIVED, ACCEPTED, started(1)])
  return call
}

/** Records a call and how it ended. */
export async function recordEnded(
  store: TestStore,
  ending: typeof FAILED | typeof CANCELLED | typeof UNKNOWN | ReturnType<typeof complete>,
  overrides: Partial<NewCall> = {},
): Promise<NewCall> {
  const call = await recordRunning(store, overrides)
  await store.log.change({ call, events: [ending] })
  return call
}

/** The call as it stands. */
export async function findCall({ log }: TestStore, { callId }: { readonly callId: string }): Promise<CallRecord> {
  const call = await log.find(callId)
  if (call === null) throw new Error(`no call ${callId} is recorded`)
  return call
}

/** One event of a trace as a reader sees it. */
export interface ReadEvent {
  readonly id: string
  readonly event: EventDraft['event']
  readonly callId: string
  readonly data: JsonObject
}

/** All events of a trace. */
export async function readEvents({ reader }: TestStore, trace: TraceRef = TRACE): Promise<ReadEvent[]> {
  const entries = await reader.readAfter(trace, null, 1_000_000)
  return entries.map(({ id, event, callId, data }) => ({ id, event, callId, data: JSON.parse(data) as JsonObject }))
}
