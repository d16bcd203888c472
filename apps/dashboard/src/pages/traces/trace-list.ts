import type { Client, TraceChange } from '@synchub/client'
import type { TraceSummary } from '@synchub/protocol'
import { type Failure, toFailure } from '../../hub/failure.js'
import { appendPage, keyOf, mergeTraces } from './trace-order.js'
import { hasWishedState, type TraceWish, toFilter } from './trace-query.js'

/** The list as it stands. */
export interface TraceListView {
  readonly traces: readonly TraceSummary[]
  /** Whether older ones can be loaded. */
  readonly goesOn: boolean
  /** Whether the first page is still on its way. */
  readonly isFirst: boolean
  readonly failure: Failure | null
}

const PAGE_TRACES = 100
const NEWS_TRACES = 200
/** Most often that changed traces are asked for, in ms. */
const NEWS_INTERVAL_MS = 700

/** A list of traces that stays true: pages as they are wanted, and what changes as it is told. */
export class TraceList {
  readonly #client: Client
  readonly #wish: TraceWish
  readonly #listeners = new Set<() => void>()
  #view: TraceListView = { traces: [], goesOn: true, isFirst: true, failure: null }
  #cursor: string | undefined
  #asOf: string | undefined
  #loading: Promise<void> | undefined
  #news: ReturnType<typeof setTimeout> | undefined
  /** Whether news were asked for since the hub was last asked for them. */
  #isAskedAgain = false

  constructor(client: Client, wish: TraceWish) {
    this.#client = client
    this.#wish = wish
  }

  readonly read = (): TraceListView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Loads one page more; asked again meanwhile, it waits for the same one. */
  loadMore(): Promise<void> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Loads pages until there is none, or `max` traces are there. */
  async loadAll(max: number): Promise<void> {
    while (this.#view.goesOn && this.#view.traces.length < max && this.#view.failure === null) await this.loadMore()
  }

  /** Shows at once what the notices tell, and asks for the rest. */
  applyChanges(changes: readonly TraceChange[]): void {
    const told = new Map(changes.map((change) => [keyOf(change), change]))
    const traces = this.#view.traces.map((trace) => {
      const change = told.get(keyOf(trace))
      if (change === undefined || change.seq <= trace.lastSeq || change.state === trace.state) return trace
      return { ...trace, state: change.state }
    })
    this.#become({ traces: traces.filter((trace) => hasWishedState(trace, this.#wish)) })
    this.askForNews()
  }

  /** Asks soon for everything that changed since it was asked last, and for the page that failed, if one did. */
  askForNews(): void {
    this.#isAskedAgain = true
    if (this.#news !== undefined) return
    this.#news = setTimeout(() => {
      this.#isAskedAgain = false
      void this.#catchUp().finally(() => {
        this.#news = undefined
        // The answer that was on its way may be from before.
        if (this.#isAskedAgain) this.askForNews()
      })
    }, NEWS_INTERVAL_MS)
  }

  async #catchUp(): Promise<void> {
    // A hub that tells of changes most likely answers again.
    if (this.#view.failure !== null) await this.loadMore()
    if (this.#asOf !== undefined) await this.#loadNews()
  }

  async #loadPage(): Promise<void> {
    try {
      const filter = toFilter(this.#wish, Date.now())
      const page = await this.#client.traces({ ...filter, limit: PAGE_TRACES, cursor: this.#cursor })
      this.#cursor = page.nextCursor
      this.#asOf ??= page.asOf
      const goesOn = page.nextCursor !== undefined
      this.#become({ traces: appendPage(this.#view.traces, page.items), goesOn, isFirst: false, failure: null })
    } catch (thrown) {
      this.#become({ isFirst: false, failure: toFailure(thrown) })
    }
  }

  /** A trace that has left the state that was wished for must be heard of too, so the state is not asked for. */
  async #loadNews(): Promise<void> {
    const { states: _any, ...filter } = toFilter(this.#wish, Date.now())
    const news: TraceSummary[] = []
    try {
      let asOf = this.#asOf
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await this.#client.traces({ ...filter, since: this.#asOf, limit: NEWS_TRACES, cursor })
        if (isFirst) asOf = page.asOf
        news.push(...page.items)
        cursor = page.nextCursor
      }
      this.#asOf = asOf
    } catch {
      // That the hub is away is said by the connection's own state, and once it is back everything since then is asked for again.
    }
    const { traces, goesOn } = this.#view
    this.#become({ traces: mergeTraces(traces, news, (trace) => hasWishedState(trace, this.#wish), goesOn) })
  }

  #become(change: Partial<TraceListView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
