import type { Clock } from '@synchub/core'
import { type ChangeNotice, decodeNotice, noticeName } from './change-notice.js'
import { NoticeBatch } from './notice-batch.js'

/** Why notices may be missing: the store was away, or more traces changed at once than are kept. */
export type NoticeLoss = 'interrupted' | 'overflow'

/** Where the notices of a tenant go. */
export interface NoticeSink {
  /** Takes what changed in one tick. */
  deliver(batch: NoticeBatch): void
  /** Notices may be missing: only the list of traces tells what changed. */
  lost(loss: NoticeLoss): void
}

/** Most traces whose notices wait for a tick. */
const MAX_WAITING = 10_000

/** The notices of one tenant in this process: gathered for a tick, so that a busy trace costs its listeners one line for each. */
export class TenantNotices {
  readonly #sinks = new Set<NoticeSink>()
  readonly #clock: Clock
  readonly #tickMs: number
  #waiting = new Map<string, ChangeNotice>()
  #overflown = false
  #stopTick: (() => void) | null = null

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock
    this.#tickMs = tickMs
  }

  get sinkCount(): number {
    return this.#sinks.size
  }

  add(sink: NoticeSink): void {
    this.#sinks.add(sink)
  }

  remove(sink: NoticeSink): void {
    this.#sinks.delete(sink)
  }

  /** A message of the tenant's channel. */
  receive(message: string): void {
    const notice = decodeNotice(message)
    this.#waiting.set(noticeName(notice), notice)
    if (this.#waiting.size > MAX_WAITING) {
      this.#waiting.clear()
      this.#overflown = true
    }
    this.#stopTick ??= this.#clock.schedule(this.#tickMs, () => this.#tick())
  }

  /** What was published meanwhile is gone. */
  interrupted(): void {
    for (const sink of this.#sinks) sink.lost('interrupted')
  }

  close(): void {
    this.#stopTick?.()
    this.#sinks.clear()
  }

  #tick(): void {
    this.#stopTick = null
    const batch = new NoticeBatch([...this.#waiting.values()])
    this.#waiting = new Map()
    const overflown = this.#overflown
    this.#overflown = false
    for (const sink of this.#sinks) {
      if (overflown) sink.lost('overflow')
      if (batch.notices.length > 0) sink.deliver(batch)
    }
  }
}
