import { HubError } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { delay } from '../abort/delay.js'
import { type LinkedAbort, linkAbort } from '../abort/linked-abort.js'
import { DEFAULT_OUTAGE_TIMEOUT_MS } from '../call/call-options.js'
import type { HubConnection } from '../connection/hub-connection.js'
import type { TraceEventItem } from '../watch/event-item.js'
import { readEventPages } from './event-pages.js'
import { type ReplayClock, ReplayPace, type ReplaySpeed } from './replay-pace.js'

/** Options of a replay, of whatever source. */
export interface PlayOptions {
  /** Times as fast as it was recorded; `max` without any pause. Default 1. */
  readonly speed?: ReplaySpeed | undefined
  /** Begin with the event of this id; by default with the first. */
  readonly from?: string | undefined
  /** The longest pause between two events, in ms as played; a longer one is cut to it. Default 60 000. */
  readonly maxGapMs?: number | undefined
  /** Ends the replay quietly. */
  readonly signal?: AbortSignal | undefined
  /** The time to go by; the system's by default. */
  readonly clock?: ReplayClock | undefined
}

/** Options of a replay from a hub. */
export interface ReplayOptions extends PlayOptions {
  /** Whose trace, where several owners have one of this name. */
  readonly owner?: string | undefined
  /** The longest time without any answer of the hub, in ms; then the last failure is thrown. Default 300 000. */
  readonly outageTimeoutMs?: number | undefined
}

const DEFAULT_MAX_GAP_MS = 60_000

const SYSTEM_CLOCK: ReplayClock = { now: () => performance.now(), sleep: delay }

/**
 * Plays a recorded trace with its own timing. Only reads the log: nothing is executed. A trace that still runs is played up to
 * where its log ends once the replay gets there.
 * @throws HubError INVALID_PARAMS for a speed or a gap that is none
 */
export function replayTrace(
  connection: HubConnection,
  traceId: string,
  options: ReplayOptions = {},
): AsyncIterableIterator<TraceEventItem> {
  const { from, owner, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options
  return play(options, (signal) => readEventPages(connection, { traceId, owner, from }, { outageTimeoutMs, signal }))
}

/**
 * Plays pages of events with their own timing.
 * @param read - the pages, which end early where the signal aborts
 * @throws HubError INVALID_PARAMS for a speed or a gap that is none
 */
export function play(
  options: PlayOptions,
  read: (signal: AbortSignal) => AsyncIterable<readonly TraceEventItem[]>,
): AsyncIterableIterator<TraceEventItem> {
  const { speed = 1, maxGapMs = DEFAULT_MAX_GAP_MS, clock = SYSTEM_CLOCK } = options
  if (speed !== 'max' && !(Number.isFinite(speed) && speed > 0)) {
    throw new HubError('INVALID_PARAMS', 'the speed must be a number above 0, or "max"', { path: 'speed' })
  }
  if (!(maxGapMs >= 0)) {
    throw new HubError('INVALID_PARAMS', 'maxGapMs must be a number from 0', { path: 'maxGapMs' })
  }
  const abort = linkAbort(options.signal)
  const pace = new ReplayPace({ speed, maxGapMs, clock, signal: abort.signal })
  return abortableIterator(playPages(read(abort.signal), speed === 'max' ? undefined : pace, abort), abort)
}

/** @param pace - absent for no pauses: a wait would cost more than the event */
async function* playPages(
  pages: AsyncIterable<readonly TraceEventItem[]>,
  pace: ReplayPace | undefined,
  abort: LinkedAbort,
): AsyncGenerator<TraceEventItem, undefined> {
  const { signal } = abort
  try {
    for await (const page of pages) {
      for (const item of page) {
        await pace?.reach(item.data.at)
        if (signal.aborted) return
        yield item
      }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    // Lets go of the caller's signal, and of a page that is on its way.
    abort.abort()
  }
}
