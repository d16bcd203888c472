import { HubError, readArchive } from '@synchub/protocol'
import type { TraceEventItem } from '../watch/event-item.js'
import { type PlayOptions, play } from './replay.js'

/**
 * Plays an archive of a trace with its own timing, without a hub.
 * @param lines - the lines of its file
 * @throws HubError INVALID_PARAMS naming the line that is broken, an event that the file does not hold, or a speed that is none
 * @example
 * const lines = createInterface({ input: createReadStream('demo.ndjson') })
 * for await (const { event, data } of replayArchive(lines, { speed: 10 })) show(event, data)
 */
export function replayArchive(
  lines: AsyncIterable<string> | Iterable<string>,
  options: PlayOptions = {},
): AsyncIterableIterator<TraceEventItem> {
  return play(options, () => readEvents(lines, options.from))
}

async function* readEvents(
  lines: AsyncIterable<string> | Iterable<string>,
  from: string | undefined,
): AsyncGenerator<readonly TraceEventItem[], undefined> {
  let hasBegun = from === undefined
  for await (const item of readArchive(lines)) {
    if (item.kind !== 'event') continue
    hasBegun ||= item.id === from
    if (hasBegun) yield [item]
  }
  if (hasBegun) return
  throw new HubError('INVALID_PARAMS', `the archive holds no event ${JSON.stringify(from)}`, { path: 'from' })
}
