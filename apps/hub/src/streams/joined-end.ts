import type { Clock, TraceRef } from '@synchub/core'
import type { TraceHead, TraceReader } from '@synchub/redis'
import type { CompositeCursor } from './composite-cursor.js'

/** What the end of joined traces is found out with. */
export interface JoinedTraces {
  readonly traces: readonly TraceRef[]
  /** What the reader has. */
  readonly cursor: CompositeCursor
  readonly reader: TraceReader
  readonly clock: Clock
  readonly lingerMs: number
}

const RETRY_MS = 1000

/** Whether the reader has all that these traces will hold, as far as anybody can tell: nothing is open, and a while has passed. */
export async function areOver(joined: JoinedTraces): Promise<boolean> {
  return (await lookAt(joined)) === 'over'
}

/** Ends a stream of several traces once all of them are over: one alone may go on while others run. */
export class JoinedEnd {
  readonly #joined: JoinedTraces
  readonly #onOver: () => void
  readonly #onFailure: (thrown: unknown) => void
  #callOff: (() => void) | null = null
  #stopped = false

  constructor(joined: JoinedTraces, onOver: () => void, onFailure: (thrown: unknown) => void) {
    this.#joined = joined
    this.#onOver = onOver
    this.#onFailure = onFailure
  }

  /** An event that may have been the last one of a trace was sent. */
  expect(delayMs = this.#joined.lingerMs): void {
    this.#callOff?.()
    if (!this.#stopped) this.#callOff = this.#joined.clock.schedule(delayMs, () => this.#look())
  }

  stop(): void {
    this.#stopped = true
    this.#callOff?.()
  }

  #look(): void {
    lookAt(this.#joined).then(
      (found) => {
        if (this.#stopped) return
        if (found === 'over') this.#onOver()
        else if (found !== 'open') this.expect(found.leftMs)
      },
      (thrown: unknown) => {
        this.#onFailure(thrown)
        this.expect(RETRY_MS)
      },
    )
  }
}

/** `open` where something must still be sent, which ends with an event that may be the last one. */
async function lookAt({ traces, cursor, reader, clock, lingerMs }: JoinedTraces) {
  const heads = await Promise.all(traces.map((trace) => reader.head(trace)))
  // Of a trace that is gone the reader has been told, and has no place in it any more.
  const settled = (head: TraceHead | null, at: number) =>
    (head?.openCalls ?? 0) === 0 && (head?.id ?? null) === cursor.idOf(at)
  if (!heads.every(settled)) return 'open'
  const quietAtMs = Math.max(...heads.map((head) => head?.atMs ?? 0)) + lingerMs
  const leftMs = Math.min(quietAtMs - clock.now(), lingerMs)
  return leftMs > 0 ? ({ leftMs } as const) : 'over'
}
