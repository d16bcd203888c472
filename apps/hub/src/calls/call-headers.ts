import type { SubmittedCall } from './call-desk.js'

/** Headers of every answer that a call has over HTTP: which call it is, and whether an earlier request began it. */
export function callHeaders({
  callId,
  trace,
  replayed,
}: Pick<SubmittedCall, 'callId' | 'trace' | 'replayed'>): Readonly<Record<string, string>> {
  return {
    'SyncHub-Call-Id': callId,
    'SyncHub-Trace-Id': trace.traceId,
    ...(replayed ? { 'SyncHub-Replayed': 'true' } : {}),
  }
}
