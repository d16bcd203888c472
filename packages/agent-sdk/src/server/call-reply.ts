import type { ServerResponse } from 'node:http'
import { encodeSseComment, encodeSseEvent, type RequestId, toErrorObject } from '@synchub/protocol'
import { toCallResult, toolInstance } from '../answers/answer.js'
import type { ToolCall } from '../runs/call.js'
import type { RunEnd } from '../runs/run.js'
import type { Waiter } from '../runs/runs.js'
import type { ProgressUpdate } from '../tools/context.js'
import { cutWhenStalled, replyError, replyResult, STREAM_HEADERS } from './reply.js'

/** What the two forms of an answer have in common. */
export interface CallReplyParts {
  readonly response: ServerResponse
  readonly id: RequestId
  readonly call: ToolCall
}

/** Answers a call with one JSON document once it has ended. */
export class JsonCallReply implements Waiter {
  readonly #parts: CallReplyParts

  constructor(parts: CallReplyParts) {
    this.#parts = parts
  }

  get isGone(): boolean {
    return this.#parts.response.destroyed
  }

  onStart(): void {
    // A JSON document has nothing to say before its end.
  }

  onProgress(): void {
    // Nor of progress.
  }

  onEnd(end: RunEnd): void {
    endAsJson(this.#parts, end)
  }
}

/** Answers a call as it goes: progress as it comes, then one `complete` or `failed` (contract S0.6). */
export class StreamedCallReply implements Waiter {
  readonly #parts: CallReplyParts
  readonly #heartbeatIntervalMs: number
  #heartbeat: NodeJS.Timeout | undefined
  /** The latest progress, while the reader is behind: all that a slow reader costs. */
  #held: ProgressUpdate | undefined

  constructor(parts: CallReplyParts, heartbeatIntervalMs: number) {
    this.#parts = parts
    this.#heartbeatIntervalMs = heartbeatIntervalMs
  }

  get isGone(): boolean {
    return this.#parts.response.destroyed
  }

  onStart(): void {
    const { response } = this.#parts
    if (this.isGone || response.headersSent) return
    this.#open()
    this.#heartbeat = setInterval(() => this.#beat(), this.#heartbeatIntervalMs)
    response.on('drain', () => this.#release())
    response.on('close', () => clearInterval(this.#heartbeat))
  }

  onProgress(update: ProgressUpdate): void {
    const { response } = this.#parts
    if (response.writableNeedDrain) this.#held = update
    else this.#write('progress', update)
  }

  onEnd(end: RunEnd): void {
    clearInterval(this.#heartbeat)
    if (this.isGone) return
    const { response } = this.#parts
    if (end.kind === 'asking') this.#ask(end)
    else if (end.kind === 'answered' && (response.headersSent || end.answer.kind === 'result')) this.#end(end)
    else if (response.headersSent) response.destroy()
    // What fails before the stream began can still have its HTTP status.
    else endAsJson(this.#parts, end)
  }

  #ask({ input: { inputRequests, requestState } }: RunEnd & { kind: 'asking' }): void {
    const { response } = this.#parts
    this.#open()
    this.#release()
    this.#write('input_required', { inputRequests, requestState })
    cutWhenStalled(response)
    response.end()
  }

  #end({ answer, replayed }: RunEnd & { kind: 'answered' }): void {
    const { response, call } = this.#parts
    this.#open()
    this.#release()
    if (answer.kind === 'error') {
      this.#write('failed', { error: toErrorObject(answer.error, toolInstance(call.tool)) })
    } else {
      const { structuredContent, ...rest } = toCallResult(answer, { ...call, replayed })
      this.#write('complete', { ...(structuredContent === undefined ? {} : { result: structuredContent }), ...rest })
    }
    cutWhenStalled(response)
    response.end()
  }

  #open(): void {
    const { response } = this.#parts
    if (response.headersSent) return
    response.writeHead(200, STREAM_HEADERS)
    response.flushHeaders()
  }

  #beat(): void {
    // A reader that is behind has enough to read.
    if (!this.#parts.response.writableNeedDrain) this.#parts.response.write(encodeSseComment('alive'))
  }

  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) this.#write('progress', held)
  }

  #write(event: string, data: object): void {
    if (!this.isGone) this.#parts.response.write(encodeSseEvent({ event, data: JSON.stringify(data) }))
  }
}

function endAsJson({ response, id, call }: CallReplyParts, end: RunEnd): void {
  // Without an answer the connection ends without one: the reader learns that the outcome is not known.
  if (end.kind === 'abandoned') response.destroy()
  else if (end.kind === 'asking') replyResult(response, id, end.input)
  else if (end.answer.kind === 'error') replyError(response, id, end.answer.error, toolInstance(call.tool))
  else replyResult(response, id, toCallResult(end.answer, { ...call, replayed: end.replayed }))
}
