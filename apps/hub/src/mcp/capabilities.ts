import { type JsonObject, type LEGACY_REVISIONS, type MODERN_REVISIONS, TASKS_EXTENSION } from '@synchub/protocol'

/** A revision that is spoken here. */
export type Revision = (typeof LEGACY_REVISIONS | typeof MODERN_REVISIONS)[number]

/** What agents offer, in every revision. Changes of its lists are told where there is a stream to listen on. */
const offers = (listChanged: boolean): JsonObject => ({
  tools: { listChanged },
  resources: { listChanged },
  prompts: { listChanged },
  completions: {},
})

/** What this server offers in each revision; only what it keeps is announced. */
export function capabilitiesOf(revision: Revision): JsonObject {
  switch (revision) {
    case '2026-07-28':
      return { ...offers(true), extensions: { [TASKS_EXTENSION]: {} } }
    case '2025-11-25':
      return { ...offers(false), tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
    case '2025-06-18':
      return offers(false)
  }
}
