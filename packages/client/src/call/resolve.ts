import { type CallState, isJsonObject, type ResolutionView } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeSegment } from '../connection/path.js'

/** What came of saying what became of a dead letter. */
export interface ResolvedCall {
  readonly callId: string
  readonly traceId: string
  /** How the call ended; that stays as it was reported. */
  readonly state: CallState
  /** False when somebody had resolved it before. */
  readonly resolved: boolean
  /** The resolution that stands. */
  readonly resolution: ResolutionView
}

/** Says what became of a dead letter (`POST /calls/{id}/resolve`). */
export async function resolveCall(
  connection: HubConnection,
  callId: string,
  { reason, signal }: { readonly reason: string; readonly signal?: AbortSignal | undefined },
): Promise<ResolvedCall> {
  const path = `/calls/${encodeSegment('callId', callId)}/resolve`
  const answer = await connection.json({ method: 'POST', path, body: JSON.stringify({ reason }), signal })
  if (isResolved(answer)) return answer
  throw notOurHub(connection.baseUrl, 'answered without the resolution of the call')
}

function isResolved(value: unknown): value is ResolvedCall {
  return isJsonObject(value) && typeof value.resolved === 'boolean' && isJsonObject(value.resolution)
}
