import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** The event streams that are open at the hubs of this process. */
export interface OpenStreams {
  open(): number
  /** Whether there are so many within some seconds. */
  become(count: number): Promise<boolean>
  /** Whether one more is opened from now on within some seconds, also in place of another. */
  oneMore(): Promise<boolean>
  stop(): void
}

const PATIENCE_MS = 5000

/** Counts the event streams that are opened from here on; of a test, nothing but its pages holds one. */
export function countStreams(): OpenStreams {
  const streams = new Set<ServerResponse>()
  let opened = 0
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (!/^\/events|\/events\?|\/events$/.test(request.url ?? '')) return
    streams.add(response)
    opened++
    response.once('close', () => streams.delete(response))
  }
  const comesTrue = async (isTrue: () => boolean) => {
    const untilMs = Date.now() + PATIENCE_MS
    while (!isTrue() && Date.now() < untilMs) await delay(20)
    return isTrue()
  }
  subscribe('http.server.request.start', onRequest)
  return {
    open: () => streams.size,
    become: (count) => comesTrue(() => streams.size === count),
    oneMore() {
      const before = opened
      return comesTrue(() => opened > before)
    },
    stop: () => unsubscribe('http.server.request.start', onRequest),
  }
}
