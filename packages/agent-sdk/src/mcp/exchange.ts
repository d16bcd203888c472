import {
  declaredInputs,
  HubError,
  isJsonObject,
  type JsonObject,
  type McpRequest,
  META_KEYS,
  NameUnknown,
  readProgressToken,
  toMcpError,
  toModernResult,
} from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { toolInstance } from '../answers/answer.js'
import type { StateSeal } from '../inputs/seal.js'
import type { AgentLogger } from '../logging/logger.js'
import { parseToolCall } from '../runs/call.js'
import type { Runs } from '../runs/runs.js'
import { CallWaiter } from './call-waiter.js'
import { answerMethod, boundResult } from './methods.js'
import type { McpReply } from './reply.js'
import { identityOf } from './server-identity.js'

/** What MCP requests work on. */
export interface McpParts {
  readonly agent: Agent
  readonly runs: Runs
  readonly seal: StateSeal
  readonly logger: AgentLogger
  /** Largest result that is sent, in bytes of JSON. */
  readonly maxAnswerBytes: number
}

/** One request from its arrival to its response, in either era and over either transport. */
export class Exchange {
  readonly #parts: McpParts
  readonly #request: McpRequest
  readonly #reply: McpReply
  readonly #controller = new AbortController()
  /** Resolves once nothing more will be sent. */
  readonly over: Promise<void>
  #end: () => void = () => undefined
  #isOver = false
  #runningCallId: string | undefined

  constructor(parts: McpParts, request: McpRequest, reply: McpReply) {
    this.#parts = parts
    this.#request = request
    this.#reply = reply
    this.over = new Promise((resolve) => {
      this.#end = () => {
        this.#isOver = true
        resolve()
      }
    })
  }

  /** Answers the request. Never throws. */
  async run(): Promise<void> {
    const { id, method, params } = this.#request
    try {
      if (method === 'tools/call') return await this.#call()
      const { agent, logger } = this.#parts
      const ctx = { signal: this.#controller.signal, logger }
      const answer = await answerMethod(method, { agent, era: this.#request.era, params, ctx })
      const result = boundResult(answer, this.#parts.maxAnswerBytes)
      if (this.#isCancelled()) this.#reply.endSilently()
      else this.#reply.succeed(id, this.#complete(result))
    } catch (thrown) {
      if (this.#isCancelled()) this.#reply.endSilently()
      else this.#reply.fail(id, this.#explain(thrown), this.#instance())
    }
    this.#end()
  }

  /** Nobody wants the answer: the work is cancelled, and there is no response. */
  cancel(reason: string): void {
    // An opening cannot be taken back.
    if (this.#isOver || this.#isCancelled() || this.#request.method === 'initialize') return
    this.#controller.abort(new HubError('CANCELLED', reason))
    if (this.#runningCallId !== undefined) this.#parts.runs.cancel(this.#runningCallId, reason)
  }

  async #call(): Promise<void> {
    const { agent, runs, seal } = this.#parts
    const { id, era, params } = this.#request
    const progressToken = readProgressToken(params)
    const call = parseToolCall(params, { seal, inputCapabilities: this.#inputCapabilities() })
    const tool = agent.tools.get(call.tool)
    if (tool === undefined) {
      const failure = new HubError('METHOD_NOT_FOUND', `agent ${agent.name} has no tool ${call.tool}`)
      throw new NameUnknown('tool', call.tool, failure)
    }
    tool.checkArguments(call.arguments)
    const waiter = new CallWaiter({
      id,
      call,
      progressToken,
      reply: this.#reply,
      era,
      isLong: tool.streams,
      isCancelled: () => this.#isCancelled(),
      complete: (result) => this.#complete({ ...result }),
      onOver: () => this.#end(),
    })
    await runs.attach(tool, call, waiter)
    this.#runningCallId = call.callId
    if (!this.#isCancelled() || this.#isOver) return
    // It was cancelled while it waited for its place, and may not have got one.
    runs.cancel(call.callId, 'the caller cancelled the call')
    this.#reply.endSilently()
    this.#end()
  }

  /** In the legacy era nobody can be asked: there is no second round of a request. */
  #inputCapabilities(): JsonObject {
    const { era, params } = this.#request
    const declared = isJsonObject(params._meta) ? params._meta[META_KEYS.clientCapabilities] : undefined
    return era === 'modern' && isJsonObject(declared) ? declaredInputs(declared) : {}
  }

  #complete(result: JsonObject): JsonObject {
    return this.#request.era === 'modern' ? toModernResult(result, identityOf(this.#parts.agent)) : result
  }

  #explain(thrown: unknown): ReturnType<typeof toMcpError> {
    const error = toMcpError(thrown)
    if (error instanceof HubError && error.code === 'INTERNAL_ERROR') {
      this.#parts.logger.error({ err: thrown, method: this.#request.method }, 'a request failed unexpectedly')
    }
    return error
  }

  #instance(): string {
    const { method, params } = this.#request
    return method === 'tools/call' && typeof params.name === 'string' ? toolInstance(params.name) : `/${method}`
  }

  #isCancelled(): boolean {
    return this.#controller.signal.aborted
  }
}
