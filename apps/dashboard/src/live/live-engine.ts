import type { Client } from '@synchub/client'
import { ChangeGathering } from './change-gathering.js'
import { HubStream } from './hub-stream.js'
import type { EngineMessage, TabMessage } from './live-message.js'
import { WatchedTraces } from './watched-traces.js'

/** A wake is believed only so often, in ms: a person who changes tabs is no sign of a sleep. */
const WAKE_INTERVAL_MS = 10_000

/** What holds the connection to the hub for all tabs of a browser: one stream, however many tabs and traces there are. */
export class LiveEngine {
  readonly #ports = new Set<MessagePort>()
  readonly #traces: WatchedTraces
  readonly #stream: HubStream
  #wokenAtMs = 0

  constructor(client: Client) {
    const changes = new ChangeGathering((gathered) => this.#tellAll({ kind: 'changes', changes: gathered }))
    const traces = new WatchedTraces(client, () => this.#stream.renew())
    this.#traces = traces
    this.#stream = new HubStream(client, traces, {
      onState: (state) => this.#tellAll({ kind: 'state', state }),
      onOpen: () => this.#tellAll({ kind: 'resync' }),
      onItem: (item) => {
        if (item.kind === 'change') changes.add(item)
        else if (item.kind === 'lost') this.#tellAll({ kind: 'resync' })
        else traces.deliver(item)
      },
    })
  }

  /** Serves one more tab. */
  attach(port: MessagePort): void {
    this.#ports.add(port)
    port.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#take(port, data)
    if (this.#ports.size === 1) this.#stream.start()
    port.postMessage({ kind: 'state', state: this.#stream.state } satisfies EngineMessage)
    // A tab that joins a live engine has heard of nothing yet.
    if (this.#stream.state.kind === 'live') port.postMessage({ kind: 'resync' } satisfies EngineMessage)
  }

  #take(port: MessagePort, message: TabMessage): void {
    switch (message.kind) {
      case 'watch':
        void this.#traces.watch(port, message.watch, message.traceId, message.owner)
        return
      case 'unwatch':
        this.#traces.unwatch(port, message.watch)
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
    this.#stream.start()
  }

  /** A tab that crashed says no good-bye, but its lock is free then (Web Locks; only on pages that came safely). */
  #detachWithLock(port: MessagePort, lock: string): void {
    navigator.locks?.request(lock, () => this.#detach(port)).catch(() => this.#detach(port))
  }

  #detach(port: MessagePort): void {
    if (!this.#ports.delete(port)) return
    this.#traces.unwatch(port)
    port.close()
    if (this.#ports.size === 0) this.#stream.stop()
  }

  #tellAll(message: EngineMessage): void {
    for (const port of this.#ports) port.postMessage(message)
  }
}
