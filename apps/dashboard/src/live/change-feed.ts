import type { Client, TraceChange } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import { toFailure } from '../hub/failure.js'
import type { EngineMessage, LiveState } from './live-message.js'

/** Most often that tabs are told of changes, in ms. */
const TICK_MS = 200
/** Pause before a hub that answered as no hub should is asked again, in ms. */
const STRANGE_PAUSE_MS = 5000

/** The one stream of change notices that all tabs share; how it stands is how the browser's connection stands. */
export class ChangeFeed {
  readonly #client: Client
  readonly #tell: (message: EngineMessage) => void
  #abort: AbortController | undefined
  #state: LiveState = { kind: 'connecting' }
  #waiting = new Map<string, TraceChange>()
  #tick: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, tell: (message: EngineMessage) => void) {
    this.#client = client
    this.#tell = tell
  }

  get state(): LiveState {
    return this.#state
  }

  /** Connects, in place of the connection that there may be. */
  start(): void {
    this.stop()
    const abort = new AbortController()
    this.#abort = abort
    // What was refused to one person says nothing of the next.
    if (this.#state.kind === 'refused') this.#become({ kind: 'connecting' })
    void this.#listen(abort.signal)
  }

  stop(): void {
    this.#abort?.abort()
  }

  async #listen(signal: AbortSignal): Promise<void> {
    try {
      const onReconnect = ({ reason, delayMs }: { readonly reason: HubError; readonly delayMs: number }) =>
        this.#become({ kind: 'lost', retryAtMs: Date.now() + delayMs, failure: toFailure(reason) })
      for await (const item of this.#client.changes({ signal, onReconnect })) {
        if (item.kind === 'change') this.#add(item)
        else {
          if (item.kind === 'open') this.#become({ kind: 'live' })
          this.#tell({ kind: 'resync' })
        }
      }
    } catch (thrown) {
      if (signal.aborted) return
      const failure = toFailure(thrown)
      if (thrown instanceof HubError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(thrown.code)) {
        this.#become({ kind: 'refused', failure })
        return
      }
      // A proxy's page, say, while the hub restarts behind it.
      this.#become({ kind: 'lost', retryAtMs: Date.now() + STRANGE_PAUSE_MS, failure })
      setTimeout(() => signal.aborted || this.start(), STRANGE_PAUSE_MS)
    }
  }

  #become(state: LiveState): void {
    this.#state = state
    this.#tell({ kind: 'state', state })
  }

  #add(change: TraceChange): void {
    this.#waiting.set(`${change.owner}/${change.traceId}`, change)
    if (this.#tick !== undefined) return
    this.#tick = setTimeout(() => {
      this.#tick = undefined
      const changes = [...this.#waiting.values()]
      this.#waiting.clear()
      this.#tell({ kind: 'changes', changes })
    }, TICK_MS)
  }
}
