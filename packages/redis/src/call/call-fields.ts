import {
  CALL_RECORD_VERSION,
  type CallOutline,
  type CallRecord,
  type Grant,
  type NewCall,
  type Question,
  type Resolution,
  type TraceRef,
} from '@synchub/core'
import { HubError, type JsonObject, type ProgressView } from '@synchub/protocol'

/** Fields of a call's hash, in the order in which they are read. */
export const CALL_FIELDS = [
  'version',
  'callId',
  'caller',
  'agent',
  'tool',
  'mode',
  'toolRevision',
  'parentCallId',
  'parentAttempt',
  'parentFence',
  'depth',
  'grant',
  'accessDigests',
  'originCallId',
  'keyDigest',
  'payloadDigest',
  'queueDeadlineAtMs',
  'taskTtlMs',
  'w3cTraceId',
  'inputCapabilities',
  'question',
  'hubId',
  'state',
  'attempt',
  'fence',
  'createdAtMs',
  'startedAtMs',
  'progressAtMs',
  'endedAtMs',
  'endCode',
  'isError',
  'resolvedAtMs',
  'resolvedBy',
  'resolvedReason',
  'progress',
  'total',
  'message',
  'arguments',
] as const

/** All of them but the arguments, which stand last. */
export const OUTLINE_FIELDS = CALL_FIELDS.slice(0, -1)

/** What is written with a call and never read again: the step that records it goes by it. */
type WrittenField = 'recordByMs'

type Field = (typeof CALL_FIELDS)[number]

/** The fields that recording a call in this state writes, as field, value, field, value ... */
export function encodeNewCall(call: NewCall, state: CallRecord['state']): string[] {
  const fields: string[] = []
  const put = (field: Field | WrittenField, value: string | number | undefined) => {
    if (value !== undefined) fields.push(field, String(value))
  }
  put('version', CALL_RECORD_VERSION)
  put('callId', call.callId)
  put('caller', call.caller)
  put('agent', call.agent)
  put('tool', call.tool)
  put('mode', call.mode)
  put('toolRevision', call.toolRevision)
  put('parentCallId', call.parentCallId)
  put('parentAttempt', call.parentAttempt)
  put('parentFence', call.parentFence)
  put('depth', call.depth)
  put('grant', call.grant === undefined ? undefined : JSON.stringify(call.grant))
  put('accessDigests', call.accessDigests === undefined ? undefined : encodeDigests(call.accessDigests))
  put('originCallId', call.originCallId)
  put('keyDigest', call.idempotency?.keyDigest)
  put('payloadDigest', call.idempotency?.payloadDigest)
  put('recordByMs', call.idempotency?.recordByMs)
  put('queueDeadlineAtMs', call.queueDeadlineAtMs)
  put('taskTtlMs', call.taskTtlMs)
  put('w3cTraceId', call.w3cTraceId)
  put('inputCapabilities', call.inputCapabilities === undefined ? undefined : JSON.stringify(call.inputCapabilities))
  put('hubId', call.hubId)
  put('attempt', state === 'running' ? 1 : 0)
  put('fence', call.fence)
  put('arguments', JSON.stringify(call.arguments))
  return fields
}

/** Digests of access tokens as one field: hex holds no comma. */
export function encodeDigests(digests: readonly string[]): string {
  return digests.join(',')
}

/**
 * Reads a call from the values of {@link CALL_FIELDS}; null where there is no call.
 * @throws HubError INTERNAL_ERROR for a record of a later version
 */
export function decodeCall(trace: TraceRef, values: readonly (string | null)[]): CallRecord | null {
  const outline = decodeOutline(trace, values)
  if (outline === null) return null
  return { arguments: JSON.parse(values[OUTLINE_FIELDS.length] ?? '{}') as JsonObject, ...outline }
}

/** Reads a call without its arguments from the values of {@link OUTLINE_FIELDS}, else as {@link decodeCall}. */
export function decodeOutline(trace: TraceRef, values: readonly (string | null)[]): CallOutline | null {
  const text = (field: Field) => values[CALL_FIELDS.indexOf(field)] ?? undefined
  const number = (field: Field) => (text(field) === undefined ? undefined : Number(text(field)))
  const json = (field: Field): unknown => JSON.parse(text(field) ?? 'null') ?? undefined
  const state = text('state')
  if (state === undefined) return null
  if (number('version') !== CALL_RECORD_VERSION) {
    throw new HubError('INTERNAL_ERROR', 'the call was recorded by a later version of the hub; update this one')
  }
  const keyDigest = text('keyDigest')
  const progress = readProgress(number('progress'), number('total'), text('message'))
  return {
    callId: text('callId') ?? '',
    trace,
    caller: text('caller') ?? '',
    agent: text('agent') ?? '',
    tool: text('tool') ?? '',
    mode: text('mode') === 'direct' ? 'direct' : 'queued',
    toolRevision: text('toolRevision') ?? '',
    hubId: text('hubId') ?? '',
    state: state as CallRecord['state'],
    attempt: number('attempt') ?? 0,
    createdAtMs: number('createdAtMs') ?? 0,
    ...optional('parentCallId', text('parentCallId')),
    ...optional('parentAttempt', number('parentAttempt')),
    ...optional('parentFence', text('parentFence')),
    ...optional('depth', number('depth')),
    ...optional('fence', text('fence')),
    ...optional('grant', json('grant') as Grant | undefined),
    ...optional('accessDigests', text('accessDigests')?.split(',')),
    ...optional('originCallId', text('originCallId')),
    ...optional(
      'idempotency',
      keyDigest === undefined ? undefined : { keyDigest, payloadDigest: text('payloadDigest') ?? '' },
    ),
    ...optional('queueDeadlineAtMs', number('queueDeadlineAtMs')),
    ...optional('taskTtlMs', number('taskTtlMs')),
    ...optional('w3cTraceId', text('w3cTraceId')),
    ...optional('inputCapabilities', json('inputCapabilities') as JsonObject | undefined),
    ...optional('question', json('question') as Question | undefined),
    ...optional('startedAtMs', number('startedAtMs')),
    ...optional('progressAtMs', number('progressAtMs')),
    ...optional('endedAtMs', number('endedAtMs')),
    ...optional('endCode', text('endCode')),
    ...optional('isError', text('isError') === undefined ? undefined : true),
    ...optional('resolution', readResolution(number('resolvedAtMs'), text('resolvedBy'), text('resolvedReason'))),
    ...optional('progress', progress),
  }
}

/** Reads what became of a call that was given up. */
export function readResolution(atMs?: number, by = '', reason = '""'): Resolution | undefined {
  return atMs === undefined ? undefined : { atMs, by, reason: JSON.parse(reason) as string }
}

function readProgress(progress?: number, total?: number, message?: string): ProgressView | undefined {
  if (progress === undefined) return undefined
  const text = message === undefined ? undefined : (JSON.parse(message) as string)
  return { progress, ...optional('total', total), ...optional('message', text) }
}

/** A member that is there only where it has a value. */
export function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [K in Name]?: Value })
}
