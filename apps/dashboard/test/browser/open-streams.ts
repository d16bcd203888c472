import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** The event streams that are open at the hubs of this process. */
export interface OpenStreams {
  open(): number
  /** Whether there are so many within some seconds. */
  become(count: number): Promise<boolean>
  stop(): void
}

const PATIENCE_MS = 5000

/** Counts the event streams that are opened from here on; of a test, nothing but its pages holds one. */
export function countStreams(): OpenStreams {
  const streams = new Set<ServerResponse>()
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (!/^\/events|\/events\?|\/events$/.test(request.url ?? '')) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  }
  subscribe('http.server.request.start', onRequest)
  return {
    open: () => streams.size,
    async become(count) {
      const untilMs = Date.now() + PATIENCE_MS
      while (streams.size !== count && Date.now() < untilMs) await delay(20)
      return streams.size === count
    },
    stop: () => unsubscribe('http.server.request.start', onRequest),
  }
}
