import type { Client, TraceEventItem } from '@synchub/client'
import { HubError, type TraceView } from '@synchub/protocol'
import { type Failure, toFailure } from '../../../hub/failure.js'
import type { TraceListener } from '../../../live/live-connection.js'
import { TraceModel } from './trace-model.js'

/** A trace as a page shows it. The model and the events grow in place; the version tells that they did. */
export interface TraceFeedView {
  readonly model: TraceModel | null
  /** What is loaded of the log, in order and without a hole. */
  readonly events: readonly TraceEventItem[]
  /** Number of the last event that the hub is known to have. */
  readonly lastSeq: number
  readonly owner: string | undefined
  readonly failure: Failure | null
  /** Why the log is not read on; what is loaded of it can be read, and the calls are live all the same. */
  readonly logFailure: Failure | null
  readonly version: number
}

/** Where live events come from. */
export interface LiveSource {
  watch(traceId: string, owner: string | undefined, listener: TraceListener): () => void
}

/** Most often that a page is told of news, in ms: as often as a person can follow. */
const TELL_MS = 100

/** A trace, live: first its snapshot, then its log from the beginning, and meanwhile everything new. */
export class TraceFeed {
  readonly #client: Client
  readonly #traceId: string
  readonly #listeners = new Set<() => void>()
  #owner: string | undefined
  #view: TraceFeedView
  #logModel = new TraceModel()
  #snapshotModel: TraceModel | null = null
  #events: TraceEventItem[] = []
  /** Live events that the log has not come to yet. */
  #ahead: TraceEventItem[] = []
  #loading: AbortController | undefined
  #tell: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, traceId: string, owner: string | undefined) {
    this.#client = client
    this.#traceId = traceId
    this.#owner = owner
    this.#view = { model: null, events: this.#events, lastSeq: 0, owner, failure: null, logFailure: null, version: 0 }
  }

  readonly read = (): TraceFeedView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins; the returned function ends everything. */
  start(live: LiveSource): () => void {
    const stop = live.watch(this.#traceId, this.#owner, {
      onSnapshot: (trace) => this.#takeSnapshot(trace),
      onEvents: (events) => this.#takeLive(events),
      onFailure: (failure) => this.#become({ failure }),
    })
    return () => {
      stop()
      this.#loading?.abort()
    }
  }

  /** A snapshot that comes later means a new beginning: the log may be another one. */
  #takeSnapshot(trace: TraceView): void {
    this.#owner = trace.owner
    this.#snapshotModel = TraceModel.fromSnapshot(trace)
    this.#logModel = new TraceModel()
    this.#events = []
    this.#ahead = []
    this.#become({ failure: null, lastSeq: trace.lastSeq, owner: trace.owner })
    this.loadLog()
  }

  /** Reads the log on from where it is; what failed before is tried again. */
  loadLog(): void {
    this.#loading?.abort()
    this.#loading = new AbortController()
    this.#become({ logFailure: null })
    void this.#readLog(this.#loading.signal)
  }

  #takeLive(events: readonly TraceEventItem[]): void {
    for (const event of events) this.#snapshotModel?.apply(event)
    this.#ahead.push(...events)
    this.#catchUp()
    this.#become({ lastSeq: Math.max(this.#view.lastSeq, events.at(-1)?.data.seq ?? 0) })
  }

  async #readLog(signal: AbortSignal): Promise<void> {
    const options = { owner: this.#owner, from: this.#events.at(-1)?.id, signal }
    try {
      for await (const page of this.#client.eventPages(this.#traceId, options)) {
        if (signal.aborted) return
        for (const event of page) this.#append(event)
        this.#catchUp()
        this.#become({})
      }
    } catch (thrown) {
      if (signal.aborted) return
      const isGone = thrown instanceof HubError && thrown.code === 'NOT_FOUND'
      const failure = toFailure(thrown)
      this.#become(isGone ? { failure } : { logFailure: failure })
    }
  }

  /** Takes live events over as soon as the log has come to them. */
  #catchUp(): void {
    const next = this.#logModel.lastSeq + 1
    const [first] = this.#ahead
    if (first === undefined || first.data.seq > next) return
    for (const event of this.#ahead) this.#append(event)
    this.#ahead = []
  }

  #append(event: TraceEventItem): void {
    if (event.data.seq <= this.#logModel.lastSeq) return
    this.#events.push(event)
    this.#logModel.apply(event)
  }

  #become(change: Partial<TraceFeedView>): void {
    const hasAll = this.#logModel.lastSeq > 0 && this.#logModel.lastSeq >= (this.#snapshotModel?.lastSeq ?? 0)
    const model = hasAll ? this.#logModel : this.#snapshotModel
    this.#view = { ...this.#view, ...change, model, events: this.#events, version: this.#view.version + 1 }
    if (this.#tell !== undefined) return
    this.#tell = setTimeout(() => {
      this.#tell = undefined
      for (const listener of this.#listeners) listener()
    }, TELL_MS)
  }
}
