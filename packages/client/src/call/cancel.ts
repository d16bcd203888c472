import { type CallState, isJsonObject } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeSegment } from '../connection/path.js'

/** What came of asking for a cancel. */
export interface Cancellation {
  readonly callId: string
  /** State of the call after the cancel was taken. */
  readonly state: CallState
  /** True for a call that had completed, and whose tool itself failed. */
  readonly isError?: true
  /** False when the call had already ended. */
  readonly cancelled: boolean
}

/** Asks the hub to cancel a call (`POST /calls/{id}/cancel`); every watcher then sees one `cancelled`. */
export async function cancelCall(
  connection: HubConnection,
  callId: string,
  { reason, signal }: { readonly reason?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Cancellation> {
  const path = `/calls/${encodeSegment('callId', callId)}/cancel`
  const answer = await connection.json({ method: 'POST', path, body: JSON.stringify({ reason }), signal })
  if (isCancellation(answer)) return answer
  throw notOurHub(connection.baseUrl, 'answered a cancel without the state of the call')
}

function isCancellation(value: unknown): value is Cancellation {
  if (!isJsonObject(value)) return false
  return typeof value.callId === 'string' && typeof value.state === 'string' && typeof value.cancelled === 'boolean'
}
