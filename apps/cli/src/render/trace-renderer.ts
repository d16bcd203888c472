import type { TraceEvent } from '@synchub/protocol'
import { createScreen, type ScreenOptions, type TextStream } from '../terminal/screen.js'
import { type CallUpdate, updateOfEvent } from './call-update.js'
import { eventLine, updateLine } from './event-line.js'
import { LiveBars } from './live-bars.js'

/** Shows the events of a trace to a person. */
export interface TraceRenderer {
  /** Shows one event. */
  show(event: TraceEvent): void
  /** Shows what is known of a call by other means than an event. */
  update(update: CallUpdate): void
  /** Writes a line of your own; bars stay below it. The text must be clean already. */
  note(line: string): void
  /** Forgets the open calls: the trace is shown anew. */
  clear(): void
  /** Leaves the last picture standing and gives the terminal back; to be called however the work ends. */
  close(): void
}

/**
 * Creates a renderer: progress bars of all open calls, in place, on a terminal; one plain line for each event elsewhere. What
 * tools and agents wrote is cleaned of control characters.
 * @example
 * const renderer = createTraceRenderer(process.stdout)
 * try {
 *   for await (const item of client.watch(traceId)) if (item.kind === 'event') renderer.show(item)
 * } finally {
 *   renderer.close()
 * }
 */
export function createTraceRenderer(stream: TextStream, options: ScreenOptions = {}): TraceRenderer {
  const screen = createScreen(stream, options)
  if (!screen.live) {
    return {
      show: (event) => screen.line(eventLine(event)),
      update: (update) => screen.line(updateLine(update)),
      note: screen.line,
      clear: () => undefined,
      close: () => undefined,
    }
  }
  const bars = new LiveBars(screen)
  return {
    show: (event) => bars.update(updateOfEvent(event)),
    update: (update) => bars.update(update),
    note: (line) => bars.note(line),
    clear: () => bars.clear(),
    close: () => bars.close(),
  }
}
