import type { Client, JoinedItem } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import { toFailure } from '../hub/failure.js'
import type { LiveState } from './live-message.js'
import type { WatchedTraces } from './watched-traces.js'

/** Traces that are wanted come in bursts, as a list is scrolled. */
const SETTLE_MS = 120
/** Pause before a hub that answered as no hub should is asked again, in ms: a proxy's page, say, while the hub restarts. */
const STRANGE_PAUSE_MS = 3000

/** What is told of the stream. */
export interface StreamListener {
  onState(state: LiveState): void
  onItem(item: Exclude<JoinedItem, { readonly kind: 'open' }>): void
  /** Changes from before are not told of. */
  onOpen(): void
}

/**
 * The one stream of a browser: notices of change, and the events of the traces that its tabs watch. It is made anew when a trace more
 * is to be carried; events go on after the cursor, and the lists tell what changed in between.
 */
export class HubStream {
  readonly #client: Client
  readonly #traces: WatchedTraces
  readonly #listener: StreamListener
  #state: LiveState = { kind: 'connecting' }
  #cursor: string | undefined
  #abort: AbortController | undefined
  #soon: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, traces: WatchedTraces, listener: StreamListener) {
    this.#client = client
    this.#traces = traces
    this.#listener = listener
  }

  get state(): LiveState {
    return this.#state
  }

  /** Connects, in place of the connection that there may be: it may be dead, or somebody else's. */
  start(): void {
    this.#cut()
    // What was refused to one person says nothing of the next.
    if (this.#state.kind === 'refused') this.#become({ kind: 'connecting' })
    const abort = new AbortController()
    this.#abort = abort
    void this.#listen(abort.signal)
  }

  /** Connects anew soon, if it is connected at all, for what is wanted by then. */
  renew(): void {
    if (this.#abort === undefined || this.#state.kind === 'refused') return
    this.#soon ??= setTimeout(() => this.start(), SETTLE_MS)
  }

  stop(): void {
    this.#cut()
    this.#state = { kind: 'connecting' }
  }

  #cut(): void {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#abort?.abort()
    this.#abort = undefined
  }

  async #listen(signal: AbortSignal): Promise<void> {
    try {
      for await (const item of this.#items(signal)) {
        if (item.kind === 'open') {
          this.#become({ kind: 'live' })
          this.#listener.onOpen()
          continue
        }
        if (item.kind === 'event' || item.kind === 'reset') this.#cursor = item.id ?? this.#cursor
        this.#listener.onItem(item)
      }
    } catch (thrown) {
      if (!signal.aborted) await this.#recover(thrown, signal)
    }
  }

  #items(signal: AbortSignal): AsyncIterable<JoinedItem> {
    const onReconnect = ({ reason, delayMs }: { readonly reason: HubError; readonly delayMs: number }) =>
      this.#become({ kind: 'lost', retryAtMs: Date.now() + delayMs, failure: toFailure(reason) })
    const joined = this.#traces.joined()
    if (joined.length === 0) return this.#client.changes({ signal, onReconnect })
    return this.#client.watchJoined(joined, { after: this.#cursor, changes: true, signal, onReconnect })
  }

  async #recover(thrown: unknown, signal: AbortSignal): Promise<void> {
    const failure = toFailure(thrown)
    if (thrown instanceof HubError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(thrown.code)) {
      this.#become({ kind: 'refused', failure })
      return
    }
    const leftOut = await this.#traces.dropGone()
    if (signal.aborted) return
    const pauseMs = leftOut ? SETTLE_MS : STRANGE_PAUSE_MS
    if (!leftOut) this.#become({ kind: 'lost', retryAtMs: Date.now() + pauseMs, failure })
    setTimeout(() => signal.aborted || this.start(), pauseMs)
  }

  #become(state: LiveState): void {
    this.#state = state
    this.#listener.onState(state)
  }
}
