import type { AgentCallRequest, AgentObserver } from '@synchub/core'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { type KeptRequest, standInOf } from './kept-request.js'

/** A `tools/call` that an MCP server works on: its progress in order, its result as it came, and what ends it from our side. */
export class RunningCall implements KeptRequest {
  readonly callId: string
  /** Tells attempts apart, so that a late report of an earlier one is none of this. */
  readonly progressToken: string
  readonly #observer: AgentObserver
  readonly #ending = new AbortController()
  #taken: Promise<void> = Promise.resolve()
  #result: unknown
  #fault: { readonly thrown: unknown } | undefined
  #cancelReason: string | undefined

  constructor({ callId, attempt }: AgentCallRequest, observer: AgentObserver) {
    this.callId = callId
    this.progressToken = `${callId}.${attempt}`
    this.#observer = observer
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Why the agent was told to stop, where it was. */
  get cancelReason(): string | undefined {
    return this.#cancelReason
  }

  /** What our own side threw while it took progress: no fault of the agent. */
  get fault(): { readonly thrown: unknown } | undefined {
    return this.#fault
  }

  get result(): unknown {
    return this.#result
  }

  /** Nobody waits for the answer any more. */
  end(reason: string): void {
    this.#ending.abort(reason)
  }

  /** As {@link end}, because somebody cancelled the call. */
  cancel(reason: string): void {
    this.#cancelReason ??= reason
    this.end(reason)
  }

  /**
   * Takes a progress report, after those before it. Not checked here: what is no progress is refused by the hub's rule, visibly,
   * and the answer can still come.
   */
  report(params: unknown): void {
    const { progress, total, message } = isJsonObject(params) ? params : { progress: params }
    const update = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    }
    this.#taken = this.#taken.then(async () => {
      if (this.signal.aborted) return
      try {
        await this.#observer.onProgress(update)
      } catch (thrown) {
        this.#fault ??= { thrown }
        this.end('the hub failed')
      }
    })
  }

  showLife(): void {
    if (!this.signal.aborted) this.#observer.onSignOfLife()
  }

  settled(): Promise<void> {
    return this.#taken
  }

  keepResult(result: JsonObject): JsonObject {
    this.#result = result
    return standInOf(result, { content: [] })
  }
}
