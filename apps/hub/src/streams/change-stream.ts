import type { ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { mayRead } from '@synchub/auth'
import { encodeSseEvent } from '@synchub/protocol'
import type { ChangeNotice, NoticeLoss, NoticeSink } from '@synchub/redis'
import type { HubContext } from '../hub-context.js'
import { EventStream } from './event-stream.js'
import { HeldNotices } from './held-notices.js'

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
  const { notices, streams, config, clock } = context
  const isVisible = ({ owner }: ChangeNotice) => mayRead(principal, owner)
  // All who see the same share the bytes: those of one owner, and those who see the whole tenant.
  const view = principal.scopes.includes('traces:read:tenant') ? 'tenant' : `owner ${principal.subject}`
  const held = new HeldNotices()
  let stream: EventStream | undefined
  let isFull = true
  const flush = () => {
    if (stream === undefined) return
    const { loss, waiting } = held.take()
    const text = (loss === null ? '' : encodeLoss(loss)) + encodeNotices(waiting)
    isFull = text !== '' && !stream.write(text)
  }
  const sink: NoticeSink = {
    deliver(batch) {
      if (isFull) return held.add(batch.notices.filter(isVisible))
      const bytes = batch.made(view, (all) => Buffer.from(encodeNotices(all.filter(isVisible))))
      if (bytes.length > 0) isFull = stream?.write(bytes) === false
    },
    lost(loss) {
      held.lose(loss)
      if (!isFull) flush()
    },
  }
  const stop = await notices.listen(principal.tenant, sink)
  const opened = EventStream.open(res, config.streams, clock, {
    onDrain: flush,
    onClose() {
      stop()
      streams.delete(opened)
    },
  })
  stream = opened
  streams.add(opened)
  // Gone while we subscribed: its close was told before anybody listened.
  if (res.destroyed) stop()
  flush()
}

function encodeNotices(notices: readonly ChangeNotice[]): string {
  return notices.map((notice) => encodeSseEvent({ event: 'change', data: JSON.stringify(notice) })).join('')
}

function encodeLoss(reason: NoticeLoss): string {
  return encodeSseEvent({ event: 'reset', data: JSON.stringify({ reason }) })
}
