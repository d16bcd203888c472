import type { TraceEventItem } from '@synchub/client'

/** How fast a replay plays: so many times as fast as it happened, or as fast as a screen can show it. */
export type PlaySpeed = 1 | 10 | 'max'

/** All speeds. */
export const PLAY_SPEEDS: readonly PlaySpeed[] = [1, 10, 'max']

/** The longest pause between two events, in ms as played: nobody wants to watch an hour of nothing. */
const MAX_PAUSE_MS = 2000
/** Frames that a whole trace takes at the highest speed. */
const MAX_SPEED_FRAMES = 150

/** What a step of a player goes by. */
export interface PlayState {
  readonly atMs: number
  readonly speed: PlaySpeed
  readonly events: readonly TraceEventItem[]
  /** Events that have happened by `atMs`. */
  readonly count: number
  /** Time since the step before. */
  readonly elapsedMs: number
}

/** The instant that a player has come to; undefined where the events are over. */
export function playOn({ atMs, speed, events, count, elapsedMs }: PlayState): number | undefined {
  const next = events[count]
  if (next === undefined) return undefined
  const nextMs = Date.parse(next.data.at)
  if (speed === 'max') {
    const step = Math.max(1, Math.ceil(events.length / MAX_SPEED_FRAMES))
    const reached = events[Math.min(count + step, events.length) - 1]
    return reached === undefined ? undefined : Math.max(Date.parse(reached.data.at), nextMs)
  }
  return Math.max(atMs + elapsedMs * speed, nextMs - MAX_PAUSE_MS * speed)
}
