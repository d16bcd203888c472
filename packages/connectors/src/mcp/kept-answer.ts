import type { JsonObject } from '@synchub/protocol'
import { type KeptRequest, standInOf } from './kept-request.js'

/**
 * What the client sees in the place of an answer, by the method that was asked. The client checks answers by the schemas of its
 * revision; what is broken in a list is to be refused alone, and what is read is to be passed on as it came.
 */
const STAND_INS: Readonly<Record<string, JsonObject>> = {
  'tools/list': { tools: [], ttlMs: 0, cacheScope: 'private' },
  'resources/list': { resources: [], ttlMs: 0, cacheScope: 'private' },
  'resources/templates/list': { resourceTemplates: [], ttlMs: 0, cacheScope: 'private' },
  'resources/read': { contents: [], ttlMs: 0, cacheScope: 'private' },
  'prompts/list': { prompts: [], ttlMs: 0, cacheScope: 'private' },
  'prompts/get': { messages: [] },
  'completion/complete': { completion: { values: [] } },
}

/** The answer to a request that reads something, kept as it came. */
export class KeptAnswer implements KeptRequest {
  readonly progressToken: string
  readonly signal: AbortSignal
  readonly #method: string
  #result: JsonObject | undefined

  constructor(method: string, progressToken: string, signal: AbortSignal) {
    this.#method = method
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
    return standInOf(result, STAND_INS[this.#method] ?? {})
  }
}
