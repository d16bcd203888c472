import type { JsonObject } from '@synchub/protocol'
import { duration } from './schema-parts.js'

const DAY_MS = 86_400_000

/** JSON Schema of `retention`: how long ended traces are kept. What is least wins; to do without a bound, set it to its maximum. */
export const RETENTION_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    maxAgeMs: duration('How long a trace is kept after its end', 7 * DAY_MS, 3650 * DAY_MS),
    maxTraces: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      default: 100_000,
      description: 'Most ended traces that are kept',
    },
    maxBytes: {
      type: 'integer',
      minimum: 16_777_216,
      maximum: 1_000_000_000_000_000,
      description:
        'Memory of Redis, in bytes, above which the oldest ended traces go, whatever was promised of them; three quarters of its maxmemory by default, and 1 GiB where it has none',
    },
    maxEventsPerTrace: {
      type: 'integer',
      minimum: 1000,
      maximum: 1_000_000_000,
      default: 100_000,
      description: 'Events of one trace that are kept; older ones are cut off, also while it goes on',
    },
    deadLetterAgeMs: duration(
      'How long a trace is kept that holds a dead letter, as long as nobody has resolved it',
      30 * DAY_MS,
      3650 * DAY_MS,
    ),
    archive: {
      type: 'string',
      minLength: 1,
      description: 'Folder into which a dispatcher writes each trace before it removes it; none by default',
    },
  },
}
