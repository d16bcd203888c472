import cliTruncate from 'cli-truncate'
import { cleanLine } from '../terminal/clean-text.js'
import type { Colors } from '../terminal/screen.js'
import { padColumns } from '../terminal/table.js'
import { describeDuration, describeSeconds } from '../terminal/written-duration.js'
import { type CallUpdate, hasEndedBadly, type ShownState } from './call-update.js'
import { describeProgress } from './event-line.js'

/** A call on the screen: the last that is known of it, and since when it is shown. */
export interface CallRow extends CallUpdate {
  /** When the call began, as far as it is shown, in ms of the clock that the rows are drawn by. */
  readonly sinceMs: number
  /** When it had ended, by the same clock. */
  readonly untilMs?: number
}

/** What a row is drawn by. */
export interface RowLook {
  readonly columns: number
  readonly colors: Colors
  readonly nowMs: number
}

const TOOL_COLUMNS = 28
const BAR_COLUMNS = 20
const TIME_COLUMNS = 6
const MIN_COLUMNS = 20
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
/** How long one picture of the spinner stays, in ms. */
export const FRAME_MS = 100

const MARKS: Readonly<
  Record<ShownState, { readonly mark?: string; readonly color: 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' }>
> = {
  waiting: { mark: '·', color: 'cyan' },
  running: { color: 'cyan' },
  retrying: { mark: '↻', color: 'yellow' },
  completed: { mark: '✔', color: 'green' },
  failed: { mark: '✘', color: 'red' },
  tool_failed: { mark: '✘', color: 'red' },
  refused: { mark: '⊘', color: 'red' },
  cancelled: { mark: '■', color: 'yellow' },
  unknown: { mark: '?', color: 'magenta' },
  resolved: { mark: '✔', color: 'magenta' },
}

/**
 * Draws a row as one line no wider than the terminal.
 * @param branch - what stands before the tool, for a call below another
 */
export function drawRow(row: CallRow, branch: string, { columns, colors, nowMs }: RowLook): string {
  const { mark, color } = MARKS[row.state]
  const frame = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? ''
  const tool = padColumns(cliTruncate(branch + cleanLine(row.tool), TOOL_COLUMNS), TOOL_COLUMNS)
  const parts = [
    colors[color](mark ?? frame),
    tool,
    drawBar(row, colors),
    describeTime(row, nowMs).padStart(TIME_COLUMNS),
  ]
  return cliTruncate(`${parts.join(' ')}  ${colors.dim(describeRow(row))}`, Math.max(MIN_COLUMNS, columns - 1))
}

/** A failure may need more room than its row has: whoever draws the row writes the reason below it. */
function describeRow({ state, message = '' }: CallRow): string {
  if (hasEndedBadly(state)) return state
  // How long it took stands in the row already.
  if (state === 'completed') return ''
  return state === 'waiting' || state === 'retrying' ? `${state} ${cleanLine(message)}` : cleanLine(message)
}

function drawBar({ progress, total, state }: CallRow, colors: Colors): string {
  // Whoever waits for a result hears of no last progress: the one before it would stay.
  if (state === 'completed') return `${'█'.repeat(BAR_COLUMNS)} 100%`
  const share =
    progress === undefined || total === undefined || total <= 0 ? 0 : Math.max(0, Math.min(1, progress / total))
  const filled = Math.floor(share * BAR_COLUMNS)
  const text = progress === undefined ? '' : describeProgress(progress, total)
  return `${'█'.repeat(filled)}${colors.dim('░'.repeat(BAR_COLUMNS - filled))} ${text.padStart(4)}`
}

function describeTime({ sinceMs, untilMs }: CallRow, nowMs: number): string {
  return untilMs === undefined ? describeSeconds(nowMs - sinceMs) : describeDuration(untilMs - sinceMs)
}
