import { mayRead, type Principal } from '@synchub/auth'
import { encodeSseEvent } from '@synchub/protocol'
import type { ChangeNotice, NoticeLoss, NoticeSink } from '@synchub/redis'
import type { HubContext } from '../hub-context.js'
import type { EventStream } from './event-stream.js'
import { HeldNotices } from './held-notices.js'
import { StreamFrame } from './stream-frame.js'

/** Writes notices of change into one stream, of those traces that its reader may see. */
export interface NoticeWriter {
  /** The stream is open: what came since listening began is written, and what comes from now on. */
  attach(stream: EventStream): void
  /** The stream takes bytes again. */
  flush(): void
  /** Listens no more. */
  stop(): void
}

/**
 * Begins to listen; the reader misses nothing from here on.
 * @throws HubError HUB_UNAVAILABLE
 */
export async function openNoticeWriter(principal: Principal, { notices }: HubContext): Promise<NoticeWriter> {
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
    isFull = text !== '' && !stream.write(new StreamFrame(text))
  }
  const sink: NoticeSink = {
    deliver(batch) {
      if (isFull) return held.add(batch.notices.filter(isVisible))
      const frame = batch.made(view, (all) => frameNotices(all.filter(isVisible)))
      if (frame !== null) isFull = stream?.write(frame) === false
    },
    lost(loss) {
      held.lose(loss)
      if (!isFull) flush()
    },
  }
  const stop = await notices.listen(principal.tenant, sink)
  return {
    attach(opened) {
      stream = opened
      flush()
    },
    flush,
    stop,
  }
}

function encodeNotices(notices: readonly ChangeNotice[]): string {
  return notices.map((notice) => encodeSseEvent({ event: 'change', data: JSON.stringify(notice) })).join('')
}

function frameNotices(notices: readonly ChangeNotice[]): StreamFrame | null {
  return notices.length === 0 ? null : new StreamFrame(encodeNotices(notices))
}

function encodeLoss(reason: NoticeLoss): string {
  return encodeSseEvent({ event: 'reset', data: JSON.stringify({ reason }) })
}
