import { type EventReader, readEvents } from './event-reader.js'
import type { SentHeaders } from './hub-requests.js'

/** Opens `GET /events`. */
export async function watchHub(url: string, query = '', headers: SentHeaders = {}): Promise<EventReader> {
  const controller = new AbortController()
  const init = { headers: { Accept: 'text/event-stream', ...headers }, signal: controller.signal }
  return readEvents(await fetch(`${url}/events${query}`, init), controller)
}
