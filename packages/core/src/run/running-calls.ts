import type { CallLog } from '../call/call-log.js'
import type { Clock } from '../clock.js'
import { type StopSignal, StopSwitch } from '../stop-switch.js'
import type { RunSignals } from './run-ports.js'

interface TrackedRun<End> {
  readonly superseded: StopSwitch
  /** One for each run: a signal that all runs listen to is slow to stop listening to. */
  readonly stopping: StopSwitch
  readonly end: Promise<End>
}

const CHECKED_AT_ONCE = 10
/** Most calls that are remembered as ended before they ran here. */
const MAX_ENDED_EARLY = 1000
/** Most that goes on behind runs which have ended; the oldest is given up for what comes then. */
const MAX_AFTERWARDS = 100

/** The calls that this process runs now, and how they are ended from outside. */
export class RunningCalls<End> {
  readonly #runs = new Map<string, TrackedRun<End>>()
  readonly #afterwards = new Map<StopSwitch, Promise<void>>()
  readonly #endedEarly = new Set<string>()
  #isStopping = false
  #onIdle = () => {}

  /**
   * Runs `work` under the signals that end it; `callId` counts as running until it has settled. A call that runs here already
   * is not run a second time: a queue whose store was away offers it anew, and both get the one end.
   */
  track(callId: string, work: (signals: RunSignals) => Promise<End>): Promise<End> {
    const known = this.#runs.get(callId)
    if (known !== undefined) return known.end
    const superseded = new StopSwitch()
    const stopping = new StopSwitch()
    if (this.#isStopping) stopping.abort()
    if (this.#endedEarly.delete(callId)) superseded.abort()
    const signals = { superseded, stopping, afterwards: this.#goOn }
    const end = work(signals).finally(() => {
      this.#runs.delete(callId)
      if (this.#runs.size === 0) this.#onIdle()
    })
    this.#runs.set(callId, { superseded, stopping, end })
    return end
  }

  /**
   * The call has ended elsewhere: whoever runs it here stops. The word of it may come before the run: a hub learns over one connection
   * that its call is recorded, and over another one that somebody has cancelled it.
   */
  supersede(callId: string): void {
    const run = this.#runs.get(callId)
    run?.superseded.abort()
    if (run !== undefined) return
    const [oldest = ''] = this.#endedEarly
    if (this.#endedEarly.size >= MAX_ENDED_EARLY) this.#endedEarly.delete(oldest)
    this.#endedEarly.add(callId)
  }

  /** The process stops: runs may end within `graceMs`, then those that are left are handed back. Settles when none runs. */
  async drain(clock: Clock, graceMs: number): Promise<void> {
    const callOff = clock.schedule(graceMs, () => this.#abortAll())
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      if (this.#runs.size === 0) resolve()
    })
    callOff()
    // For a run that begins all the same: the last jobs of a queue can come while its intake closes.
    this.#abortAll()
    for (const stopping of this.#afterwards.keys()) stopping.abort()
    await Promise.all(this.#afterwards.values())
  }

  /** @see RunSignals.afterwards */
  readonly #goOn = (work: (stopping: StopSignal) => Promise<void>): void => {
    const stopping = new StopSwitch()
    if (this.#isStopping) stopping.abort()
    const [oldest] = this.#afterwards.keys()
    if (this.#afterwards.size >= MAX_AFTERWARDS) oldest?.abort()
    const end = work(stopping).finally(() => this.#afterwards.delete(stopping))
    this.#afterwards.set(stopping, end)
  }

  #abortAll(): void {
    this.#isStopping = true
    for (const { stopping } of this.#runs.values()) stopping.abort()
  }

  get size(): number {
    return this.#runs.size
  }

  /** Looks at every running call's state, should the word of its end have been lost (design section 6). */
  async check(log: Pick<CallLog, 'isOpen'>): Promise<void> {
    const callIds = [...this.#runs.keys()]
    // Some at a time: a thousand questions at once would keep the progress of all calls waiting.
    for (let at = 0; at < callIds.length; at += CHECKED_AT_ONCE) {
      await Promise.all(callIds.slice(at, at + CHECKED_AT_ONCE).map((callId) => this.#checkCall(callId, log)))
    }
  }

  async #checkCall(callId: string, log: Pick<CallLog, 'isOpen'>): Promise<void> {
    if (!(await log.isOpen(callId))) this.supersede(callId)
  }
}
