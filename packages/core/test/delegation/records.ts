import type { CallRecord } from '../../src/index.js'

/** A record of a call that runs, with what a test says of it. */
export function recordOf(own: Partial<CallRecord> = {}): CallRecord {
  return {
    callId: 'call',
    trace: { tenant: 'acme', owner: 'alice', traceId: 't' },
    caller: 'Console',
    agent: 'Verse',
    tool: 'plan',
    mode: 'queued',
    toolRevision: 'r1',
    arguments: {},
    hubId: 'hub',
    state: 'running',
    attempt: 1,
    createdAtMs: 1000,
    ...own,
  }
}

/** Finds these calls. */
export function callLogOf(...calls: readonly CallRecord[]) {
  return { find: async (callId: string) => calls.find((call) => call.callId === callId) ?? null }
}
