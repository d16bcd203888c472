import type { NewCall } from '@synchub/core'
import type { AgentQueues } from '../../src/index.js'
import { newCall, TRACE } from '../call/sample-call.js'

/** Calls of one caller, in the order in which it queues them. */
export function callsOf(owner: string, count: number, tenant = 'acme'): NewCall[] {
  return Array.from({ length: count }, () => newCall({ trace: { ...TRACE, tenant, owner } }))
}

/** Queues calls as one hub does: many on their way at the same time, each caller's in order. */
export async function queueAll(queues: AgentQueues, calls: readonly NewCall[]): Promise<void> {
  await Promise.all(calls.map((call) => queues.add(call)))
}

/** Says whose call each callId is. */
export function nameOwners(calls: readonly NewCall[]): (callId: string) => string {
  const owners = new Map(calls.map(({ callId, trace }) => [callId, trace.owner]))
  return (callId) => owners.get(callId) ?? 'nobody'
}
