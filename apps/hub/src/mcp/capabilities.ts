import type { Era, JsonObject } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'

/** What this server offers in each era; only what it keeps is announced. */
export function capabilitiesOf(_era: Era, _context: HubContext): JsonObject {
  return { tools: { listChanged: false } }
}
