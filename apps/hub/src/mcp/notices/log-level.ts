import { type EventName, LOG_LEVELS, type LogLevel } from '@synchub/protocol'

/** The level at which each event of a call is told; progress has notifications of its own. */
const LEVEL_OF: Readonly<Record<EventName, LogLevel>> = {
  received: 'debug',
  accepted: 'debug',
  started: 'info',
  progress: 'debug',
  retrying: 'warning',
  handed_back: 'notice',
  input_requested: 'info',
  input_received: 'info',
  complete: 'info',
  failed: 'error',
  refused: 'error',
  cancelled: 'notice',
  unknown: 'error',
  resolved: 'notice',
}

/** The level of an event, where a client that listens from `level` on wants to know of it. */
export function levelOfEvent(event: EventName, level: LogLevel): LogLevel | undefined {
  const own = LEVEL_OF[event]
  return LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level) ? undefined : own
}
