import { type CallRecord, toInstant } from '@synchub/core'
import type { CallView, JsonRpcErrorObject, Links } from '@synchub/protocol'
import { type Store, toCallSummary } from '@synchub/redis'

/** Where a call and its trace can be read, as paths of this hub. */
export function linksOfCall(callId: string, traceId: string): Links {
  return {
    self: `/calls/${callId}`,
    cancel: `/calls/${callId}/cancel`,
    trace: `/traces/${traceId}`,
    events: `/traces/${traceId}/events`,
  }
}

/** A whole call as `GET /calls/{id}` and `calls/get` show it. */
export async function readCallView(call: CallRecord, { log }: Pick<Store, 'log'>): Promise<CallView> {
  const ending = await log.findEnding(call)
  const late = await log.findLateAnswer(call)
  const { data } = ending ?? {}
  return {
    ...toCallSummary(call),
    arguments: call.arguments,
    ...(ending?.event === 'complete' ? pick(data, RESULT_MEMBERS) : {}),
    ...(data?.error === undefined ? {} : { error: data.error as JsonRpcErrorObject }),
    ...(late === null ? {} : { late: { ...late, at: toInstant(call.resolution?.atMs ?? 0) } }),
    links: linksOfCall(call.callId, call.trace.traceId),
  }
}

const RESULT_MEMBERS = ['result', 'content', 'isError', 'executionTimeMs', 'tokenUsage']

function pick(data: Readonly<Record<string, unknown>> | undefined, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => data?.[name] !== undefined).map((name) => [name, data?.[name]]))
}
