import { type Era, findUndeclaredInput, HubError, type InputRequired, type RequestId } from '@synchub/protocol'
import { toCallResult, toolInstance } from '../answers/answer.js'
import type { ToolCall } from '../runs/call.js'
import type { RunEnd } from '../runs/run.js'
import type { Waiter } from '../runs/runs.js'
import type { ProgressUpdate } from '../tools/context.js'
import type { McpReply } from './reply.js'

/** What {@link CallWaiter} needs. */
export interface CallWaiterParts {
  readonly id: RequestId
  readonly call: ToolCall
  readonly reply: McpReply
  readonly era: Era
  /** The caller's own name for its progress; undefined where it wants none. */
  readonly progressToken: string | number | undefined
  /** The tool is a long one. */
  readonly isLong: boolean
  readonly isCancelled: () => boolean
  /** Brings a result into the form of the era. */
  readonly complete: (result: object) => object
  readonly onOver: () => void
}

/** Waits for a call on behalf of an MCP client: progress as notifications under its own token, then one response. */
export class CallWaiter implements Waiter {
  readonly #parts: CallWaiterParts
  #lastProgress = Number.NEGATIVE_INFINITY
  /** The latest progress, while the reader is behind: all that a slow reader costs. */
  #held: ProgressUpdate | undefined
  #isOver = false

  constructor(parts: CallWaiterParts) {
    this.#parts = parts
    if (parts.progressToken !== undefined) parts.reply.onCaughtUp(() => this.#release())
  }

  /** A connection that broke is no sign: where it is one, the call was cancelled for it. */
  get isGone(): boolean {
    return this.#parts.isCancelled()
  }

  onStart(): void {
    const { progressToken, isLong, reply } = this.#parts
    if (progressToken !== undefined && isLong) reply.expectProgress()
  }

  onProgress(update: ProgressUpdate): void {
    // MCP has progress rise strictly; what does not is left out.
    if (this.#parts.progressToken === undefined || update.progress <= this.#lastProgress) return
    this.#lastProgress = update.progress
    this.#held = update
    if (!this.#parts.reply.isBehind) this.#release()
  }

  onEnd(end: RunEnd): void {
    const { id, call, reply, complete, isCancelled, onOver } = this.#parts
    // Before the response: no progress may follow it, and what waits still may.
    if (!isCancelled()) this.#release()
    this.#isOver = true
    onOver()
    if (isCancelled()) reply.endSilently()
    else if (end.kind === 'abandoned') reply.cut()
    else if (end.kind === 'asking') this.#ask(end.input)
    else if (end.answer.kind === 'error') reply.fail(id, end.answer.error, toolInstance(call.tool))
    else reply.succeed(id, complete(toCallResult(end.answer, { ...call, replayed: end.replayed })))
  }

  /** Only what the client has declared may be asked of it. */
  #ask(input: InputRequired): void {
    const { id, call, reply, era, complete } = this.#parts
    const { tool, callId, traceId, inputCapabilities } = call
    const requiredCapabilities = findUndeclaredInput(input.inputRequests, inputCapabilities)
    if (requiredCapabilities === undefined) {
      reply.succeed(id, complete({ ...input, _meta: { callId, traceId } }))
      return
    }
    const reason =
      era === 'legacy'
        ? `the tool ${tool} asks its caller first, which MCP before 2026-07-28 has no way for here; connect with that revision, or through the hub`
        : `the tool ${tool} asks its caller first, and this client has not declared that it can be asked`
    reply.fail(id, new HubError('CAPABILITY_MISSING', reason, { requiredCapabilities }), toolInstance(tool))
  }

  #release(): void {
    const { progressToken, reply } = this.#parts
    const held = this.#held
    if (held === undefined || this.#isOver) return
    this.#held = undefined
    reply.notify('notifications/progress', { progressToken, ...held })
  }
}
