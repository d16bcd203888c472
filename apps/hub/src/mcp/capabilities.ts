import { type JsonObject, type LEGACY_REVISIONS, type MODERN_REVISIONS, TASKS_EXTENSION } from '@synchub/protocol'

/** A revision that is spoken here. */
export type Revision = (typeof LEGACY_REVISIONS | typeof MODERN_REVISIONS)[number]

const LISTS = { listChanged: true }

/** What agents offer, in every revision, and what happens to calls, for those who ask to be told. */
const OFFERS = {
  tools: LISTS,
  resources: { ...LISTS, subscribe: true },
  prompts: LISTS,
  completions: {},
  logging: {},
}

/** What this server offers in each revision; only what it keeps is announced. */
export function capabilitiesOf(revision: Revision): JsonObject {
  switch (revision) {
    case '2026-07-28':
      return { ...OFFERS, extensions: { [TASKS_EXTENSION]: {} } }
    case '2025-11-25':
      return { ...OFFERS, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
    case '2025-06-18':
      return OFFERS
  }
}
