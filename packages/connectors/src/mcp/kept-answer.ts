import type { JsonObject } from '@synchub/protocol'
import { type KeptRequest, standInOf } from './kept-request.js'

/** One page of `tools/list`, kept so that a tool that is broken can be left out alone. */
export class ListedPage implements KeptRequest {
  readonly progressToken: string
  readonly signal: AbortSignal
  #result: JsonObject | undefined

  constructor(progressToken: string, signal: AbortSignal) {
    this.progressToken = progressToken
    this.signal = signal
  }

  get result(): JsonObject | undefined {
    return this.#result
  }

  report(): void {}

  showLife(): void {}

  settled(): Promise<void> {
    return Promise.resolve()
  }

  keepResult(result: JsonObject): JsonObject {
    this.#result = result
    return standInOf(result, { tools: [], ttlMs: 0, cacheScope: 'private' })
  }
}
