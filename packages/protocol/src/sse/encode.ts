/** The parts of one SSE event. `data` must be one line: JSON.stringify never writes a line break. */
export interface SseEvent {
  readonly id?: string
  readonly event: string
  readonly data: string
}

/** Encodes one event of a `text/event-stream` (WHATWG HTML, section 9.2.5). */
export function encodeSseEvent({ id, event, data }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

/** A comment: readers ignore it, proxies see that the stream lives. */
export function encodeSseComment(text: string): string {
  return `: ${text}\n\n`
}

/** Tells readers how long to wait before they reconnect, in milliseconds. */
export function encodeSseRetry(delayMs: number): string {
  return `retry: ${Math.round(delayMs)}\n\n`
}
