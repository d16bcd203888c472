import type { TraceChange, TraceEventItem } from '@synchub/client'
import type { TraceView } from '@synchub/protocol'
import type { Failure } from '../hub/failure.js'
import { hub } from '../hub/hub-client.js'
import { LiveEngine } from './live-engine.js'
import type { EngineMessage, LiveState, TabMessage } from './live-message.js'

/** What a watcher of a trace is told. */
export interface TraceListener {
  onSnapshot(trace: TraceView): void
  onEvents(events: readonly TraceEventItem[]): void
  onFailure(failure: Failure): void
}

/** What a listener to changes is told. */
export interface ChangeListener {
  onChanges(changes: readonly TraceChange[]): void
  /** Changes may have been missed. */
  onResync(): void
}

/** This tab's way to the engine that all tabs share. */
class LiveConnection {
  #port: MessagePort | undefined
  #state: LiveState = { kind: 'connecting' }
  #nextWatch = 1
  readonly #watches = new Map<
    number,
    TraceListener & { readonly traceId: string; readonly owner: string | undefined }
  >()
  readonly #changeListeners = new Set<ChangeListener>()
  readonly #stateListeners = new Set<() => void>()
  #hiddenAtMs = 0

  /** Connects this tab; the streams begin with the first one. */
  open(): void {
    this.#connect()
    const wake = () => this.#post({ kind: 'wake' })
    addEventListener('online', wake)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') {
        this.#hiddenAtMs = Date.now()
        if (!HAS_SHARED_WORKERS) this.#disconnect()
      } else if (this.#port === undefined) this.#connect()
      else if (Date.now() - this.#hiddenAtMs > LONG_ABSENCE_MS) wake()
    })
    addEventListener('pagehide', () => this.#disconnect())
    // Shown again out of the browser's cache of pages.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#connect()
    })
  }

  readonly readState = (): LiveState => this.#state

  readonly subscribeState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  /** Somebody signed in or out. */
  restart(): void {
    this.#post({ kind: 'restart' })
  }

  /** Listens to changes of any trace. Returns what ends it. */
  listen(listener: ChangeListener): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  /** Watches a trace. Returns what ends it. */
  watch(traceId: string, owner: string | undefined, listener: TraceListener): () => void {
    const watch = this.#nextWatch++
    this.#watches.set(watch, { ...listener, traceId, owner })
    this.#post({ kind: 'watch', watch, traceId, owner })
    return () => {
      this.#watches.delete(watch)
      this.#post({ kind: 'unwatch', watch })
    }
  }

  #connect(): void {
    const port = openPort()
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<EngineMessage>) => this.#take(data)
    const lock = `synchub-tab-${Math.random().toString(36).slice(2)}`
    // Held until the tab is gone, in whatever way. Told only once it is held: the engine could else get it first, and would take
    // the tab for gone.
    const hold = () => {
      this.#post({ kind: 'hello', lock })
      return new Promise(() => undefined)
    }
    navigator.locks?.request(lock, hold).catch(() => undefined)
    for (const [watch, { traceId, owner }] of this.#watches) this.#post({ kind: 'watch', watch, traceId, owner })
  }

  #disconnect(): void {
    this.#post({ kind: 'bye' })
    this.#port = undefined
  }

  #post(message: TabMessage): void {
    this.#port?.postMessage(message)
  }

  #take(message: EngineMessage): void {
    switch (message.kind) {
      case 'state':
        this.#state = message.state
        for (const listener of this.#stateListeners) listener()
        return
      case 'changes':
        for (const listener of this.#changeListeners) listener.onChanges(message.changes)
        return
      case 'resync':
        for (const listener of this.#changeListeners) listener.onResync()
        return
      case 'snapshot':
        this.#watches.get(message.watch)?.onSnapshot(message.trace)
        return
      case 'events':
        this.#watches.get(message.watch)?.onEvents(message.events)
        return
      case 'failed':
        this.#watches.get(message.watch)?.onFailure(message.failure)
    }
  }
}

/** An absence after which the computer may have slept, in ms. */
const LONG_ABSENCE_MS = 30_000

/** Where the browser has none (Chrome on Android), each tab has a stream of its own, and only while somebody looks at it. */
const HAS_SHARED_WORKERS = typeof SharedWorker !== 'undefined'

/** A way to the engine: in a worker of all tabs, or in this very tab. */
function openPort(): MessagePort {
  if (HAS_SHARED_WORKERS) {
    const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'synchub' })
    return worker.port
  }
  const { port1, port2 } = new MessageChannel()
  new LiveEngine(hub).attach(port1)
  return port2
}

/** The connection of this tab. */
export const live = new LiveConnection()
