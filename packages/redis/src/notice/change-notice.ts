import type { TraceRef } from '@synchub/core'
import type { TraceState } from '@synchub/protocol'

/** A trace stands otherwise than before: a call of it began, changed its state or ended. */
export interface ChangeNotice {
  readonly traceId: string
  readonly owner: string
  /** Number of the last event of the step that changed it. */
  readonly seq: number
  readonly state: TraceState
}

/** A trace within its tenant, as notices name it: an owner holds no slash, and the traceId comes last. */
export function noticeName({ owner, traceId }: Pick<TraceRef, 'owner' | 'traceId'>): string {
  return `${owner}/${traceId}`
}

/** Reads a message of a tenant's channel: name of the trace, number and state, one line each. */
export function decodeNotice(message: string): ChangeNotice {
  const [name = '', seq = '', state = ''] = message.split('\n')
  const slash = name.indexOf('/')
  return { traceId: name.slice(slash + 1), owner: name.slice(0, slash), seq: Number(seq), state: state as TraceState }
}
