import {
  type CallResult,
  fromErrorObject,
  type HubError,
  isJsonObject,
  type JsonObject,
  parseToolResult,
  type ToolResult,
  toErrorObject,
} from '@synchub/protocol'

/** How a piece of work ended. */
export type Answer =
  | { readonly kind: 'result'; readonly result: ToolResult; readonly executionTimeMs: number }
  | { readonly kind: 'error'; readonly error: HubError }

/** An answer as it lies on disk, with what tells whether a repeat is the same work. */
export interface StoredAnswer {
  /** Digest of tool and arguments. */
  readonly digest: string
  readonly answer: Answer
}

/** `instance` of the errors of a tool (S0.5). */
export function toolInstance(tool: string): string {
  return `/tools/call/${tool}`
}

/**
 * Whether a repeat must get this answer again. An error that says that nothing was done is not kept: the same call may come
 * again, with its approval or once the agent has room.
 */
export function isFinal(answer: Answer): boolean {
  if (answer.kind === 'result') return true
  const { code, definition } = answer.error
  return definition.retry !== 'later' && code !== 'INVALID_PARAMS' && code !== 'METHOD_NOT_FOUND'
}

/** The `result` of `tools/call` on the wire. */
export function toCallResult(
  { result, executionTimeMs }: Answer & { kind: 'result' },
  ids: { readonly callId: string; readonly traceId: string; readonly replayed: boolean },
): CallResult {
  const { content, structuredContent, isError, tokenUsage } = result
  return {
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError,
    _meta: {
      callId: ids.callId,
      traceId: ids.traceId,
      executionTimeMs,
      ...(tokenUsage === undefined ? {} : { tokenUsage }),
      ...(ids.replayed ? { replayed: true } : {}),
    },
  }
}

/** Encodes an answer for the disk. */
export function encodeAnswer(tool: string, callId: string, { digest, answer }: StoredAnswer): string {
  const identity = { format: 1, callId, tool, digest }
  if (answer.kind === 'error')
    return JSON.stringify({ ...identity, error: toErrorObject(answer.error, toolInstance(tool)) })
  const { tokenUsage, ...result } = answer.result
  return JSON.stringify({
    ...identity,
    result: { ...result, _meta: { executionTimeMs: answer.executionTimeMs, tokenUsage } },
  })
}

/**
 * Decodes what {@link encodeAnswer} wrote.
 * @throws Error when it is something else
 */
export function decodeAnswer(text: string): StoredAnswer {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value) || value.format !== 1 || typeof value.digest !== 'string')
    throw new Error('no stored answer')
  if (value.error !== undefined)
    return { digest: value.digest, answer: { kind: 'error', error: fromErrorObject(value.error) } }
  const answer = {
    kind: 'result',
    result: parseToolResult(value.result),
    executionTimeMs: readTime(value.result),
  } as const
  return { digest: value.digest, answer }
}

function readTime(result: unknown): number {
  const meta: JsonObject = isJsonObject(result) && isJsonObject(result._meta) ? result._meta : {}
  if (typeof meta.executionTimeMs !== 'number') throw new Error('no execution time')
  return meta.executionTimeMs
}
