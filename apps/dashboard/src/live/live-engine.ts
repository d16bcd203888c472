import type { Client } from '@synchub/client'
import { ChangeFeed } from './change-feed.js'
import { EventFeed } from './event-feed.js'
import type { EngineMessage, TabMessage } from './live-message.js'

/** A wake is believed only so often, in ms: a person who changes tabs is no sign of a sleep. */
const WAKE_INTERVAL_MS = 10_000

/** What holds the connections to the hub for all tabs of a browser: two streams, however many tabs and traces there are. */
export class LiveEngine {
  readonly #ports = new Set<MessagePort>()
  readonly #changes: ChangeFeed
  readonly #events: EventFeed
  #wokenAtMs = 0

  constructor(client: Client) {
    this.#changes = new ChangeFeed(client, (message) => this.#tellAll(message))
    this.#events = new EventFeed(client)
  }

  /** Serves one more tab. */
  attach(port: MessagePort): void {
    this.#ports.add(port)
    port.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#take(port, data)
    if (this.#ports.size === 1) this.#changes.start()
    port.postMessage({ kind: 'state', state: this.#changes.state } satisfies EngineMessage)
    // A tab that joins a live engine has heard of nothing yet.
    if (this.#changes.state.kind === 'live') port.postMessage({ kind: 'resync' } satisfies EngineMessage)
  }

  #take(port: MessagePort, message: TabMessage): void {
    switch (message.kind) {
      case 'watch':
        void this.#events.watch(port, message.watch, message.traceId, message.owner)
        return
      case 'unwatch':
        this.#events.unwatch(port, message.watch)
        return
      case 'wake':
        if (Date.now() - this.#wokenAtMs > WAKE_INTERVAL_MS) this.#restart()
        return
      case 'restart':
        this.#restart()
        return
      case 'hello':
        this.#detachWithLock(port, message.lock)
        return
      case 'bye':
        this.#detach(port)
    }
  }

  #restart(): void {
    this.#wokenAtMs = Date.now()
    this.#changes.start()
    this.#events.restart()
  }

  /** A tab that crashed says no good-bye, but its lock is free then (Web Locks; only on pages that came safely). */
  #detachWithLock(port: MessagePort, lock: string): void {
    navigator.locks?.request(lock, () => this.#detach(port)).catch(() => this.#detach(port))
  }

  #detach(port: MessagePort): void {
    if (!this.#ports.delete(port)) return
    this.#events.unwatch(port)
    port.close()
    if (this.#ports.size === 0) this.#changes.stop()
  }

  #tellAll(message: EngineMessage): void {
    for (const port of this.#ports) port.postMessage(message)
  }
}
