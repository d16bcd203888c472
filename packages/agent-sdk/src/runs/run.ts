import { HubError, type InputRequired } from '@synchub/protocol'
import { type Answer, isFinal, type StoredAnswer } from '../answers/answer.js'
import type { AnswerStore } from '../answers/store.js'
import { toInputAnswers } from '../inputs/answers.js'
import { readCanAsk } from '../inputs/question.js'
import { type AnsweredRound, nextRound, takeAnswers, toInputRequests } from '../inputs/round.js'
import type { StateSeal } from '../inputs/seal.js'
import { InputWish } from '../inputs/wish.js'
import type { AgentLogger } from '../logging/logger.js'
import { maskLogger } from '../logging/masked-logger.js'
import type { ProgressUpdate } from '../tools/context.js'
import type { AgentTool } from '../tools/definition.js'
import { checkHandlerResult, toCallerError } from '../tools/outcome.js'
import type { ToolCall } from './call.js'

/** How a run ended for those who wait. Only an answer is kept: a repeat of anything else runs anew. */
export type RunEnd =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly replayed: boolean }
  /** It goes on once its caller has answered. */
  | { readonly kind: 'asking'; readonly input: InputRequired }
  /** Given up without an answer. */
  | { readonly kind: 'abandoned' }

/** One who waits for a run: an open connection. */
export interface RunObserver {
  /** The work has begun: there will be progress, and it may take long. Not called where the answer is there already. */
  onStart(): void
  onProgress(update: ProgressUpdate): void
  /** Called once, last. */
  onEnd(end: RunEnd): void
}

/** What a run needs. */
export interface RunParts {
  readonly tool: AgentTool
  readonly store: AnswerStore
  readonly seal: StateSeal
  readonly logger: AgentLogger
  /** How long the work goes on while nobody is connected, in milliseconds. */
  readonly orphanGraceMs: number
  readonly maxAnswerBytes: number
  /** Refuses the start of work when the agent stops or is full. */
  readonly admit: () => HubError | undefined
}

/** One piece of work under one callId, with everyone who waits for it. */
export class Run {
  readonly call: ToolCall
  /** Resolves once it is known whether there was an answer already; only then does the digest of this run count. */
  readonly lookedUp: Promise<void>
  /** Resolves once the handler has returned and the end is told to all: nothing of this run goes on after it. */
  readonly over: Promise<void>
  readonly #parts: RunParts
  /** Every run access token that came with this work, the newest last. */
  readonly #accessTokens: string[] = []
  #accessAttempt = 0
  readonly #controller = new AbortController()
  readonly #observers = new Set<RunObserver>()
  #phase: 'looking-up' | 'working' | 'abandoned' | 'answering' | 'ended' = 'looking-up'
  #latest: ProgressUpdate | undefined
  #end: RunEnd | undefined
  #answering: Promise<void> = Promise.resolve()
  #orphanTimer: NodeJS.Timeout | undefined

  constructor(call: ToolCall, parts: RunParts) {
    this.call = call
    this.#parts = { ...parts, logger: maskLogger(parts.logger, this.#accessTokens) }
    this.renewAccess(call)
    const found = this.#lookUp()
    this.lookedUp = found.then(() => undefined)
    this.over = found.then((isNew) => (isNew ? this.#work() : undefined)).then(() => this.#answering)
  }

  get isLookingUp(): boolean {
    return this.#phase === 'looking-up'
  }

  /** True while a handler winds down whose answer nobody will get. */
  get isAbandoned(): boolean {
    return this.#phase === 'abandoned'
  }

  /** Takes the access token of a repeat over: the one of an older attempt is not accepted by the hub any more. */
  renewAccess({ attempt, accessToken }: ToolCall): void {
    if (accessToken === undefined || attempt < this.#accessAttempt) return
    this.#accessAttempt = attempt
    this.#accessTokens.push(accessToken)
  }

  /** Adds one who waits; tells the latest progress at once. The returned function takes it away again. */
  attach(observer: RunObserver): () => void {
    if (this.#end !== undefined) {
      observer.onEnd(this.#end)
      return () => undefined
    }
    this.#observers.add(observer)
    clearTimeout(this.#orphanTimer)
    if (this.#phase !== 'looking-up') observer.onStart()
    if (this.#latest !== undefined) observer.onProgress(this.#latest)
    return () => {
      if (this.#observers.delete(observer)) this.#watchForOrphan()
    }
  }

  /** Cancels the work for good: the signal aborts at once, and the answer is CANCELLED now and for every repeat. */
  cancel(reason: string): void {
    if (this.#phase === 'looking-up') {
      // There may be an answer on disk, which must stay what it is.
      void this.lookedUp.then(() => this.cancel(reason))
      return
    }
    if (this.#phase !== 'working' && this.#phase !== 'abandoned') return
    const error = new HubError('CANCELLED', reason)
    this.#controller.abort(error)
    this.#answer({ kind: 'error', error })
  }

  /** Gives the work up without an answer. A handler that returns a result all the same has done the work, and it is kept. */
  abandon(reason: string): void {
    if (this.#phase !== 'working') return
    this.#phase = 'abandoned'
    this.#parts.logger.warn({}, reason)
    this.#controller.abort(new Error(reason))
  }

  async #lookUp(): Promise<boolean> {
    const answer = await this.#findAnswer()
    if (answer !== undefined) {
      this.#conclude({ kind: 'answered', answer, replayed: true })
      return false
    }
    this.#phase = 'working'
    for (const observer of this.#observers) observer.onStart()
    this.#watchForOrphan()
    return true
  }

  async #findAnswer(): Promise<Answer | undefined> {
    try {
      const stored = await (this.call.isRepeatable ? this.#parts.store.find(this.call.callId) : undefined)
      if (stored !== undefined) return this.#recall(stored)
    } catch (thrown) {
      this.#parts.logger.error({ err: thrown }, 'the stored answer of a call cannot be read')
      return { kind: 'error', error: toCallerError(this.call.tool, thrown) }
    }
    const refusal = this.#parts.admit()
    return refusal === undefined ? undefined : { kind: 'error', error: refusal }
  }

  #recall({ digest, answer }: StoredAnswer): Answer {
    return digest === this.call.digest ? answer : { kind: 'error', error: conflictOf(this.call) }
  }

  async #work(): Promise<void> {
    const { tool, logger, maxAnswerBytes } = this.#parts
    const startedAtMs = performance.now()
    logger.debug({ attempt: this.call.attempt }, 'the work begins')
    try {
      const round = takeAnswers(this.call.round, this.call.responses)
      if (Object.keys(round.questions).length > 0) return this.#ask(round)
      const returned = await tool.run(this.call.arguments, this.#context(round))
      if (returned instanceof InputWish) return this.#ask(nextRound(round, returned))
      const result = checkHandlerResult(tool, returned, maxAnswerBytes)
      this.#answer({ kind: 'result', result, executionTimeMs: Math.round(performance.now() - startedAtMs) })
    } catch (thrown) {
      if (this.#phase === 'abandoned') return this.#conclude({ kind: 'abandoned' })
      if (this.#phase !== 'working') return
      const error = toCallerError(this.call.tool, thrown)
      if (error.code === 'INTERNAL_ERROR')
        logger.error({ err: thrown }, `the tool ${this.call.tool} failed unexpectedly`)
      this.#answer({ kind: 'error', error })
    }
  }

  /** What was asked is no answer of the call, so it is not stored. */
  #ask({ complaints, ...round }: AnsweredRound): void {
    if (this.#phase !== 'working' && this.#phase !== 'abandoned') return
    const { callId, traceId, digest } = this.call
    const requestState = this.#parts.seal.seal({ callId, traceId, digest, round }, Date.now())
    const inputRequests = toInputRequests({ ...round, complaints })
    this.#conclude({
      kind: 'asking',
      input: { resultType: 'input_required', inputRequests, requestState },
    })
  }

  #context(round: AnsweredRound): Parameters<AgentTool['run']>[1] {
    const { callId, traceId, attempt, deadline, callerAgent, inputCapabilities } = this.call
    const newestAccessToken = () => this.#accessTokens.at(-1)
    return {
      callId,
      traceId,
      attempt,
      ...(deadline === undefined ? {} : { deadline }),
      ...(callerAgent === undefined ? {} : { callerAgent }),
      get accessToken() {
        return newestAccessToken()
      },
      signal: this.#controller.signal,
      logger: this.#parts.logger,
      progress: (update) => this.#progress(update),
      canAsk: readCanAsk(inputCapabilities),
      inputs: toInputAnswers(round),
      ...(round.state === undefined ? {} : { inputState: round.state }),
    }
  }

  #progress({ progress, total, message }: ProgressUpdate): void {
    if (this.#phase !== 'working') return
    if (!Number.isFinite(progress) || (total !== undefined && !Number.isFinite(total))) {
      this.#parts.logger.warn(
        { progress: String(progress), total: String(total) },
        'dropped progress that is no finite number',
      )
      return
    }
    this.#latest = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    }
    for (const observer of this.#observers) observer.onProgress(this.#latest)
  }

  #answer(answer: Answer): void {
    if (this.#phase === 'answering' || this.#phase === 'ended') return
    this.#parts.logger.debug({ answer: answer.kind === 'error' ? answer.error.code : 'RESULT' }, 'the work is answered')
    this.#phase = 'answering'
    clearTimeout(this.#orphanTimer)
    this.#answering = this.#keep(answer).then(() => this.#conclude({ kind: 'answered', answer, replayed: false }))
  }

  /** An answer is stored before it is sent. One that cannot be stored is sent all the same: the work was done. */
  async #keep(answer: Answer): Promise<void> {
    if (!this.call.isRepeatable || !isFinal(answer)) return
    const { store, logger } = this.#parts
    try {
      await store.put(this.call.tool, this.call.callId, { digest: this.call.digest, answer })
    } catch (err) {
      logger.error(
        { err },
        `the answer could not be stored in ${store.directory}; a repeat of this call will run again`,
      )
    }
  }

  #conclude(end: RunEnd): void {
    this.#phase = 'ended'
    this.#end = end
    clearTimeout(this.#orphanTimer)
    for (const observer of this.#observers) observer.onEnd(end)
    this.#observers.clear()
  }

  #watchForOrphan(): void {
    if (this.#phase !== 'working' || this.#observers.size > 0) return
    const { orphanGraceMs } = this.#parts
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = setTimeout(() => this.abandon(`gave up: nobody waited for ${orphanGraceMs} ms`), orphanGraceMs)
  }
}

/** The same callId stands for other work. */
export function conflictOf(call: ToolCall): HubError {
  return new HubError(
    'IDEMPOTENCY_CONFLICT',
    `the callId ${call.callId} belongs to a call of another tool or with other arguments`,
    { callId: call.callId },
  )
}
