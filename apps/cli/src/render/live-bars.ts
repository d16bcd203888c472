import { createLogUpdate } from 'log-update'
import { cleanLine } from '../terminal/clean-text.js'
import type { Screen } from '../terminal/screen.js'
import { type CallRow, drawRow, FRAME_MS } from './call-row.js'
import { type CallUpdate, hasEnded, hasEndedBadly } from './call-update.js'

/** Most calls kept at a time; past it the one shown longest makes room. A filter may hide every end from us. */
const MAX_ROWS = 200
const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

/** Progress bars of the calls that are open, redrawn in place; a call that ends becomes a line above them for good. */
export class LiveBars {
  readonly #screen: Screen
  readonly #rows = new Map<string, CallRow>()
  readonly #drawing: ReturnType<typeof createLogUpdate>
  #timer: NodeJS.Timeout | undefined

  constructor(screen: Screen) {
    this.#screen = screen
    this.#drawing = createLogUpdate(screen.stream)
  }

  /** Takes what is newly known of a call; it is drawn with the next frame. */
  update(update: CallUpdate): void {
    const known = this.#rows.get(update.callId)
    const row: CallRow = { sinceMs: performance.now(), ...known, ...update }
    if (hasEnded(row.state)) {
      this.#rows.delete(update.callId)
      const reason = hasEndedBadly(row.state) ? cleanLine(row.message ?? '') : ''
      this.note(this.#draw(row) + (reason === '' ? '' : `\n  ${reason}`))
      return
    }
    if (known === undefined && this.#rows.size >= MAX_ROWS) this.#rows.delete([...this.#rows.keys()][0] ?? '')
    this.#rows.set(update.callId, row)
    this.#timer ??= setInterval(() => this.#redraw(), FRAME_MS).unref()
  }

  /** Writes a line that stays, above the bars. */
  note(line: string): void {
    this.#drawing.clear()
    this.#screen.line(line)
    this.#redraw()
  }

  /** Forgets every open call, for a trace that is shown anew. */
  clear(): void {
    this.#rows.clear()
    this.#redraw()
  }

  /** Leaves the last picture standing and gives the cursor back. */
  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#redraw()
    this.#drawing.done()
  }

  #redraw(): void {
    if (this.#rows.size === 0) {
      this.#drawing.clear()
      return
    }
    const room = Math.max(1, (this.#screen.stream.rows ?? DEFAULT_ROWS) - 2)
    const shown = [...this.#rows.values()].slice(0, room).map((row) => this.#draw(row))
    const hidden = this.#rows.size - shown.length
    if (hidden > 0) shown.push(this.#screen.colors.dim(`… and ${hidden} more open calls`))
    this.#drawing(shown.join('\n'))
  }

  #draw(row: CallRow): string {
    const { stream, colors } = this.#screen
    return drawRow(row, { columns: stream.columns ?? DEFAULT_COLUMNS, colors, nowMs: performance.now() })
  }
}
