import type { ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import type { HubContext } from '../hub-context.js'
import { openNoticeWriter } from './notice-writer.js'

/**
 * `GET /events` without names: a line for each trace that changes, of those that the principal may see. Nothing is replayed: the
 * headers come once the reader will miss nothing, and what it should know from before stands in the list of traces.
 * @throws HubError HUB_UNAVAILABLE
 */
export async function serveChangeNotices(
  res: ServerResponse,
  principal: Principal,
  context: HubContext,
): Promise<void> {
  const writer = await openNoticeWriter(principal, context)
  const stream = context.streams.open(res, { onDrain: writer.flush, onClose: writer.stop })
  // Gone while we subscribed: its close was told before anybody listened.
  if (res.destroyed) writer.stop()
  writer.attach(stream)
}
