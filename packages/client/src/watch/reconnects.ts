import type { HubError } from '@synchub/protocol'
import { delay } from '../abort/delay.js'
import { backoffDelayMs } from '../connection/backoff.js'
import { isTransient, retryHintMs, unreachable } from '../connection/failure.js'

/** Why and when a watch asks again; given to `onReconnect` before the pause. */
export interface Reconnect {
  readonly reason: HubError
  readonly delayMs: number
  /** Failures in a row: connections that brought nothing new. */
  readonly failures: number
  /** The place that the next connection goes on after; absent while nothing was seen. */
  readonly cursor?: string
}

/** How a reader of a stream keeps at it. */
export interface ReconnectOptions {
  /** Ends the watch quietly. */
  readonly signal?: AbortSignal | undefined
  /** Told before each reconnect. */
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined
  /** The longest time without a connection to the hub, in ms; then the last failure is thrown. Default: no end. */
  readonly outageTimeoutMs?: number | undefined
}

/** How far a reader is; it outlives each connection. */
export interface StreamPlace {
  /** Id of the last event given: kept also when a connection brings nothing new. */
  cursor: string | undefined
  /** The pause that the hub last asked for, in ms. */
  retryMs: number | undefined
  /** Whether this connection was answered with a stream, and whether it brought something new. */
  connected: boolean
  moved: boolean
}

/** A connection that lasted this long was a good one, even if it was silent: the next pause is short again. */
const STEADY_CONNECTION_MS = 30_000

/**
 * Reads connection after connection until one says that the stream has ended, or the signal aborts.
 * @param read - reads one connection from its place to its end, and keeps the place
 * @throws HubError what another try cannot change, or the last failure once the outage is too long
 */
export async function* throughReconnects<Item>(
  baseUrl: string,
  place: StreamPlace,
  read: () => AsyncGenerator<Item, 'ended' | 'cut'>,
  options: ReconnectOptions & { readonly signal: AbortSignal },
): AsyncGenerator<Item, undefined> {
  const { signal, outageTimeoutMs = Number.POSITIVE_INFINITY } = options
  let failures = 0
  let lastContactMs = performance.now()
  for (;;) {
    const openedMs = performance.now()
    place.connected = false
    place.moved = false
    let reason: HubError
    try {
      if ((yield* read()) === 'ended') return
      reason = unreachable(baseUrl, 'closed the stream before the trace had ended', undefined)
    } catch (thrown) {
      if (signal.aborted) return
      if (!isTransient(thrown)) throw thrown
      reason = thrown
    }
    const nowMs = performance.now()
    if (place.connected) lastContactMs = nowMs
    const wasGood = place.moved || (place.connected && nowMs - openedMs > STEADY_CONNECTION_MS)
    failures = wasGood ? 1 : failures + 1
    const delayMs = backoffDelayMs({ failures, hintMs: retryHintMs(reason) ?? place.retryMs })
    if (nowMs + delayMs - lastContactMs > outageTimeoutMs) throw reason
    const { cursor } = place
    options.onReconnect?.({ reason, delayMs, failures, ...(cursor === undefined ? {} : { cursor }) })
    await delay(delayMs, signal)
    if (signal.aborted) return
  }
}
