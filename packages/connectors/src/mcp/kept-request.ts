import type { JsonObject } from '@synchub/protocol'

/**
 * A request of ours whose result is kept as the server sent it. The client checks results by the schemas of its revision and
 * refuses what it does not know, kinds of content of a later one for example; our own check passes them on.
 */
export interface KeptRequest {
  /** Ours, not the client's own; unique within the session. */
  readonly progressToken: string
  /** Aborts when nobody waits for the answer any more; the reason is told to the server. */
  readonly signal: AbortSignal
  /** The result as it came. */
  readonly result: unknown
  /** Takes progress that was reported for it. */
  report(params: unknown): void
  /** Takes something else that came on its own stream: the server works. */
  showLife(): void
  /** Settles when all progress that has come is taken. Never rejects. */
  settled(): Promise<void>
  /** Keeps the result, and gives what the client sees in its place. */
  keepResult(result: JsonObject): JsonObject
}

/** Settles when all progress that has come is taken: what reads waits for it, so that a fast server is slowed, never buffered. */
export async function allTaken(kept: ReadonlyMap<string, KeptRequest>): Promise<void> {
  await Promise.all([...kept.values()].map((request) => request.settled()))
}

/**
 * What the client sees in the place of a result: a valid one, of the kind that the server named, which is for the client to judge.
 * What is asked is for the caller to answer, so the client must not look for somebody itself.
 */
export function standInOf({ resultType }: JsonObject, valid: JsonObject): JsonObject {
  if (resultType === 'input_required') return { ...valid, resultType: 'complete' }
  return { ...valid, ...(resultType === undefined ? {} : { resultType }) }
}
