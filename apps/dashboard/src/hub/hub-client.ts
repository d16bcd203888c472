import { createClient } from '@synchub/client'

/** The longest silence of a stream, in ms: a little more than two heartbeats, so that a sleep or a dead line is noticed soon. */
const SILENCE_TIMEOUT_MS = 35_000

/** The hub that this page came from. The browser adds the session by itself. */
export const hub = createClient({ baseUrl: globalThis.location.origin, silenceTimeoutMs: SILENCE_TIMEOUT_MS })
