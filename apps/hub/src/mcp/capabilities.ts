import { type JsonObject, type LEGACY_REVISIONS, type MODERN_REVISIONS, TASKS_EXTENSION } from '@synchub/protocol'

/** A revision that is spoken here. */
export type Revision = (typeof LEGACY_REVISIONS | typeof MODERN_REVISIONS)[number]

const LISTS = { listChanged: true }

/** What agents offer, in every revision, and what happens to calls, for those who ask to be told. */
const OFFERS = { tools: LISTS, resources: LISTS, prompts: LISTS, completions: {}, logging: {} }

/** In the legacy era changes of single resources are told on the stream of the session. */
const LEGACY_OFFERS = { ...OFFERS, resources: { ...LISTS, subscribe: true } }

/** What this server offers in each revision; only what it keeps is announced. */
export function capabilitiesOf(revision: Revision): JsonObject {
  switch (revision) {
    case '2026-07-28':
      return { ...OFFERS, extensions: { [TASKS_EXTENSION]: {} } }
    case '2025-11-25':
      return { ...LEGACY_OFFERS, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
    case '2025-06-18':
      return LEGACY_OFFERS
  }
}
