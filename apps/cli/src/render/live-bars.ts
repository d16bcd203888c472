import { createLogUpdate } from 'log-update'
import { cleanLine } from '../terminal/clean-text.js'
import type { Screen } from '../terminal/screen.js'
import { drawRow, FRAME_MS } from './call-row.js'
import { CallTree, type PlacedRow } from './call-tree.js'
import { type CallUpdate, hasEnded, hasEndedBadly } from './call-update.js'

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

/**
 * Progress bars of the calls that are open, redrawn in place, each below the call that it was made for; a call that ends becomes a line
 * above them for good, together with all of its tree.
 */
export class LiveBars {
  readonly #screen: Screen
  readonly #tree = new CallTree()
  readonly #drawing: ReturnType<typeof createLogUpdate>
  #timer: NodeJS.Timeout | undefined
  /** What the hub's clock is ahead of ours. Old events are told by it too, so that a call that has ended shows the time that it took. */
  #aheadMs = 0

  constructor(screen: Screen) {
    this.#screen = screen
    this.#drawing = createLogUpdate(screen.stream)
  }

  /** Takes what is newly known of a call; it is drawn with the next frame. */
  update(update: CallUpdate): void {
    if (update.atMs !== undefined) this.#aheadMs = update.atMs - performance.now()
    for (const placed of this.#tree.take(update, update.atMs ?? this.#nowMs())) {
      const { state, message = '' } = placed.row
      const reason = hasEndedBadly(state) ? cleanLine(message) : ''
      this.note(this.#draw(placed) + (reason === '' ? '' : `\n  ${reason}`))
    }
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
    this.#tree.clear()
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
    const placed = this.#tree.placed()
    if (placed.length === 0) {
      this.#drawing.clear()
      return
    }
    const room = Math.max(1, (this.#screen.stream.rows ?? DEFAULT_ROWS) - 2)
    // Where not all have room, those that have ended go without.
    const wanted = placed.length <= room ? placed : placed.filter(({ row }) => !hasEnded(row.state))
    const shown = wanted.slice(0, room).map((row) => this.#draw(row))
    const hidden = wanted.length - shown.length
    if (hidden > 0) shown.push(this.#screen.colors.dim(`… and ${hidden} more open calls`))
    this.#drawing(shown.join('\n'))
  }

  #draw({ row, branch }: PlacedRow): string {
    const { stream, colors } = this.#screen
    return drawRow(row, branch, { columns: stream.columns ?? DEFAULT_COLUMNS, colors, nowMs: this.#nowMs() })
  }

  /** As far as the trace is: an event that is played again is now, whenever it was. */
  #nowMs(): number {
    return performance.now() + this.#aheadMs
  }
}
