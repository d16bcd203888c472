import { isOpenState } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'
import type { Clock } from '../clock.js'
import type { RunSignals } from './run-ports.js'

/** The calls that this process runs now, and how they are ended from outside. */
export class RunningCalls {
  readonly #runs = new Map<string, AbortController>()
  readonly #stopping = new AbortController()
  #onIdle = () => {}

  /** Runs `work` under the signals that end it; `callId` counts as running until it has settled. */
  async track<T>(callId: string, work: (signals: RunSignals) => Promise<T>): Promise<T> {
    const superseded = new AbortController()
    this.#runs.set(callId, superseded)
    try {
      return await work({ superseded: superseded.signal, stopping: this.#stopping.signal })
    } finally {
      if (this.#runs.get(callId) === superseded) this.#runs.delete(callId)
      if (this.#runs.size === 0) this.#onIdle()
    }
  }

  /** The call has ended elsewhere: whoever runs it here stops. */
  supersede(callId: string): void {
    this.#runs.get(callId)?.abort()
  }

  /** The process stops: runs may end within `graceMs`, then those that are left are handed back. Settles when none runs. */
  async drain(clock: Clock, graceMs: number): Promise<void> {
    const callOff = clock.schedule(graceMs, () => this.#stopping.abort())
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      if (this.#runs.size === 0) resolve()
    })
    callOff()
  }

  get size(): number {
    return this.#runs.size
  }

  /** Looks at every running call's record, should the word of its end have been lost (design section 6). */
  async check(log: CallLog): Promise<void> {
    await Promise.all(
      [...this.#runs.keys()].map(async (callId) => {
        const call = await log.find(callId)
        if (call === null || !isOpenState(call.state)) this.supersede(callId)
      }),
    )
  }
}
