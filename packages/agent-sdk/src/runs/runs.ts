import { HubError } from '@synchub/protocol'
import type { AnswerStore } from '../answers/store.js'
import type { StateSeal } from '../inputs/seal.js'
import type { AgentLogger } from '../logging/logger.js'
import type { AgentTool } from '../tools/definition.js'
import type { ToolCall } from './call.js'
import { conflictOf, Run, type RunObserver } from './run.js'

/** What {@link Runs} needs. */
export interface RunsParts {
  readonly store: AnswerStore
  readonly seal: StateSeal
  readonly logger: AgentLogger
  readonly orphanGraceMs: number
  readonly maxAnswerBytes: number
  /** Most handlers at work at the same time. */
  readonly maxRunningCalls: number
}

/** One who waits, and whether it still does. */
export interface Waiter extends RunObserver {
  readonly isGone: boolean
}

/** All work of an agent that goes on now, by callId. */
export class Runs {
  readonly #parts: RunsParts
  readonly #runs = new Map<string, Run>()
  #isStopping = false

  constructor(parts: RunsParts) {
    this.#parts = parts
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /**
   * Lets `waiter` wait for the work of `call`: joins it where it runs, recalls its answer where it is done, else starts it.
   * @returns a function that ends the wait; work that nobody waits for any more is given up after the grace time
   * @throws HubError IDEMPOTENCY_CONFLICT when the callId stands for other work
   */
  async attach(tool: AgentTool, call: ToolCall, waiter: Waiter): Promise<() => void> {
    for (let run = this.#runs.get(call.callId); run !== undefined; run = this.#runs.get(call.callId)) {
      if (run.isLookingUp && run.call.digest !== call.digest) await run.lookedUp
      else if (run.call.digest !== call.digest) throw conflictOf(call)
      else if (!run.isAbandoned) {
        run.renewAccess(call)
        return run.attach(waiter)
      } else {
        // Two handlers never work on one call: the new one waits until the one that was given up has returned.
        waiter.onStart()
        await run.over
      }
      if (waiter.isGone) return () => undefined
    }
    return this.#start(tool, call).attach(waiter)
  }

  #start(tool: AgentTool, call: ToolCall): Run {
    const { store, seal, orphanGraceMs, maxAnswerBytes } = this.#parts
    const logger = this.#parts.logger.child({ traceId: call.traceId, callId: call.callId, tool: call.tool })
    const run = new Run(call, { tool, store, seal, logger, orphanGraceMs, maxAnswerBytes, admit: () => this.#admit() })
    this.#runs.set(call.callId, run)
    void run.over.finally(() => this.#runs.delete(call.callId))
    return run
  }

  #admit(): HubError | undefined {
    if (this.#isStopping) return new HubError('AGENT_UNAVAILABLE', 'the agent is stopping', { retryAfterSeconds: 1 })
    const { maxRunningCalls } = this.#parts
    if (this.#runs.size <= maxRunningCalls) return undefined
    return new HubError('AGENT_UNAVAILABLE', `the agent already works on ${maxRunningCalls} calls`, {
      retryAfterSeconds: 1,
    })
  }

  /** Cancels a call; one that is not running is left as it is. */
  cancel(callId: string, reason: string): void {
    this.#runs.get(callId)?.cancel(reason)
  }

  /** Starts nothing new, gives running work `graceMs` to end and gives up what is left, within `abortMs`. */
  async stop(graceMs: number, abortMs: number): Promise<void> {
    this.#isStopping = true
    await this.#waitForAll(graceMs)
    for (const run of this.#runs.values()) run.abandon('gave up: the agent stops')
    await this.#waitForAll(abortMs)
  }

  async #waitForAll(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs)
    })
    await Promise.race([Promise.all([...this.#runs.values()].map((run) => run.over)), patience])
    clearTimeout(timer)
  }
}
