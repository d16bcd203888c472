import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import type { TraceRef } from '@synchub/core'
import { encodeSseEvent, isTerminalEvent } from '@synchub/protocol'
import type { EntryBatch, Watch, WatchSink } from '@synchub/redis'
import { findVisibleTrace, requireOwnLists } from '../calls/visible-objects.js'
import { badParameter, queryOf, readFlag } from '../http/query.js'
import { sendEmpty } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { CompositeCursor } from './composite-cursor.js'
import type { EventStream } from './event-stream.js'
import { areOver, JoinedEnd } from './joined-end.js'
import { type NoticeWriter, openNoticeWriter } from './notice-writer.js'
import { StreamFrame } from './stream-frame.js'

/** What a reader of `GET /events?traces=` asks for. */
interface JoinedQuery {
  readonly traces: readonly TraceRef[]
  readonly cursor: CompositeCursor
  /** Whether the reader said what it has. */
  readonly resumes: boolean
  readonly follow: boolean
  /** Whether it wants the notices of change too, of all that it may see. */
  readonly changes: boolean
}

const MAX_TRACES = 50

/**
 * `GET /events?traces=`: the events of several traces as one stream, in order within each trace, with one cursor for all; with
 * `changes=1` the notices of change too, so that one connection is enough for all that a browser shows.
 * @throws HubError NOT_FOUND naming a trace that does not exist, or is somebody else's; INVALID_PARAMS
 */
export async function serveJoinedEvents(
  req: IncomingMessage,
  res: ServerResponse,
  principal: Principal,
  context: HubContext,
): Promise<void> {
  const query = await readQuery(req, principal, context)
  const { traces, cursor, resumes, follow, changes } = query
  const { reader, clock, config } = context
  const joined = { traces, cursor, reader, clock, lingerMs: config.streams.lingerMs }
  if (resumes && !follow && (await areOver(joined))) return sendEmpty(res, 204, { 'Cache-Control': 'no-store' })
  return openStream(res, query, context, changes ? await openNoticeWriter(principal, context) : undefined)
}

async function readQuery(req: IncomingMessage, principal: Principal, context: HubContext): Promise<JoinedQuery> {
  const params = queryOf(req.url)
  const asked = [...new Set(params.get('traces')?.split(','))].map(readAsked)
  if (asked.length > MAX_TRACES || asked.some(({ traceId }) => traceId === '')) {
    throw badParameter('traces', `1 to ${MAX_TRACES} traceIds, separated by commas`)
  }
  const changes = readFlag(params, 'changes')
  if (changes) requireOwnLists(principal)
  // Notices have no end.
  const follow = readFlag(params, 'follow') || changes
  const owner = params.get('owner') ?? undefined
  const wishes = asked.map((each) => ({ traceId: each.traceId, owner: each.owner ?? owner, mayBeMissing: follow }))
  const traces = await Promise.all(wishes.map((wish) => findVisibleTrace(wish, principal, context)))
  const lastEventId = req.headers['last-event-id']
  const after = (typeof lastEventId === 'string' ? lastEventId : undefined) ?? params.get('after')
  const starts = asked.map(({ id }) => id)
  const cursor = new CompositeCursor(traces, after, starts)
  return { traces, cursor, resumes: after !== null, follow, changes }
}

/** One of the traces as a reader names it: `[owner/]traceId[@id]`. Owners hold no slash, traceIds no `@`. */
function readAsked(text: string): { readonly traceId: string; readonly owner?: string; readonly id?: string } {
  const [, owner, traceId = '', id] = /^(?:([^/]*)\/)?([^@]*)(?:@(.*))?$/.exec(text) ?? []
  return { traceId, ...(owner === undefined ? {} : { owner }), ...(id === undefined ? {} : { id }) }
}

async function openStream(
  res: ServerResponse,
  query: JoinedQuery,
  context: HubContext,
  notices: NoticeWriter | undefined,
): Promise<void> {
  const { traces, cursor, follow } = query
  const { feeds, streams, config, clock, reader, logger } = context
  const watches: Watch[] = []
  const stream = streams.open(res, {
    onDrain() {
      for (const watch of watches) watch.resume()
      notices?.flush()
    },
    onClose(closed) {
      end.stop()
      notices?.stop()
      for (const watch of watches) watch.close()
      if (closed === 'stalled') logger.warn({ traces: traces.length }, 'event stream cut: the reader took nothing')
    },
  })
  // Gone while we subscribed: its close was told before anybody listened.
  if (res.destroyed) notices?.stop()
  notices?.attach(stream)
  const fail = (thrown: unknown) => {
    logger.warn({ err: thrown, traces: traces.length }, 'event stream failed; the reader may resume')
    stream.close('failed')
  }
  const joined = { traces, cursor, reader, clock, lingerMs: config.streams.lingerMs }
  const onOver = () => {
    const data = JSON.stringify({ traces: traces.map(({ traceId }) => traceId) })
    stream.write(new StreamFrame(encodeSseEvent({ event: 'end', data })))
    stream.close('ended')
  }
  const end = new JoinedEnd(joined, onOver, (thrown) => logger.warn({ err: thrown }, 'end of traces not looked at'))
  const mayEnd = () => {
    if (!follow && !stream.closed) end.expect()
  }
  try {
    // One after another: the reads of the logs then begin spread out, and not all of them fill the socket at once.
    for (const [at, trace] of traces.entries()) {
      if (stream.closed) return
      const sink = createSink(at, trace, { cursor, stream, mayEnd, fail })
      watches.push(await feeds.watch({ trace, after: cursor.idOf(at), follow: true, sink }))
    }
    mayEnd()
  } catch (thrown) {
    // The headers are out: the reader sees the stream end, and comes back with its cursor.
    fail(thrown)
  } finally {
    // Closed while the last watch was opened: nobody else closes that one.
    if (stream.closed) for (const watch of watches) watch.close()
  }
}

interface SharedSink {
  readonly cursor: CompositeCursor
  readonly stream: EventStream
  mayEnd(): void
  fail(thrown: unknown): void
}

/** Writes the events of one of the traces; each carries the cursor of all, so that a reader may be cut anywhere. */
function createSink(at: number, trace: TraceRef, { cursor, stream, mayEnd, fail }: SharedSink): WatchSink {
  return {
    deliver({ entries }: EntryBatch) {
      const frames = entries.map(({ id, event, data }) =>
        encodeSseEvent({ ...idAfter(cursor.move(at, id)), event, data }),
      )
      const hasRoom = stream.write(new StreamFrame(frames.join('')))
      if (entries.some(({ event }) => isTerminalEvent(event))) mayEnd()
      return hasRoom
    },
    reset(reason, snapshot) {
      const { traceId, owner } = trace
      const data = JSON.stringify({ traceId, owner, reason, snapshot })
      const id = idAfter(cursor.move(at, snapshot?.cursor ?? null))
      stream.write(new StreamFrame(encodeSseEvent({ ...id, event: 'reset', data })))
      mayEnd()
    },
    // Never told: the watch follows, and all traces end together.
    end: mayEnd,
    fail,
  }
}

function idAfter(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id }
}
