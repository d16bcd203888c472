import type { TraceEvent } from '@synchub/protocol'
import { cleanLine } from '../terminal/clean-text.js'
import { type CallUpdate, updateOfEvent } from './call-update.js'

/** One event as one plain line: instant, number, event, tool, call, and what there is to say. */
export function eventLine(item: TraceEvent): string {
  const { at, seq, tool, callId } = item.data
  const update = updateOfEvent(item)
  const parent = update.parentCallId === undefined ? '' : `for ${update.parentCallId}`
  const words = [at, `#${seq}`, item.event, tool, callId, describeUpdate(update), parent]
  return words
    .map(cleanLine)
    .filter((word) => word !== '')
    .join('  ')
}

/** One update of a call as one plain line, for those who know of it by other means than events. */
export function updateLine(update: CallUpdate): string {
  return [update.tool, update.state, describeUpdate(update)]
    .map(cleanLine)
    .filter((word) => word !== '')
    .join('  ')
}

function describeUpdate({ state, progress, total, message = '' }: CallUpdate): string {
  return state === 'running' && progress !== undefined ? `${describeProgress(progress, total)}  ${message}` : message
}

/** How far something is: a percentage where the total is known. */
export function describeProgress(progress: number, total: number | undefined): string {
  return total === undefined || total <= 0 ? String(progress) : `${Math.floor(Math.min(1, progress / total) * 100)}%`
}
