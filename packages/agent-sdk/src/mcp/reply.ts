import type { McpError, RequestId } from '@synchub/protocol'

/** Where everything about one request goes: over HTTP its own response, over stdio the one line that all share. */
export interface McpReply {
  /** What was sent waits to be taken: whatever can be left out should be. */
  readonly isBehind: boolean
  /** Calls back each time that the reader has caught up. */
  onCaughtUp(action: () => void): void
  /** There will be progress and it may take long: keeps the connection awake where that can be done. */
  expectProgress(): void
  notify(method: string, params: object): void
  succeed(id: RequestId, result: object): void
  fail(id: RequestId, error: McpError, instance: string): void
  /** Ends without a response: that is what a request gets that was cancelled. */
  endSilently(): void
  /** Ends so that the reader learns that it will not get to know the outcome. */
  cut(): void
}
