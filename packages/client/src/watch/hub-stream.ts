import { notOurHub } from '../connection/failure.js'
import type { HubAnswer } from '../connection/hub-answer.js'
import type { HubConnection } from '../connection/hub-connection.js'

/**
 * Opens an event stream of the hub by its path and query.
 * @returns 'ended' when nothing will come
 * @throws HubError what the hub answered where that is no stream
 */
export async function openHubStream(
  connection: HubConnection,
  path: string,
  signal: AbortSignal,
): Promise<HubAnswer | 'ended'> {
  const answer = await connection.send({ method: 'GET', path, accept: 'text/event-stream', signal })
  if (answer.status >= 400) throw await connection.failureOf(answer)
  if (answer.status !== 204 && answer.is('text/event-stream')) return answer
  answer.close()
  if (answer.status === 204) return 'ended'
  throw notOurHub(connection.baseUrl, `answered with status ${answer.status} but without an event stream`)
}
