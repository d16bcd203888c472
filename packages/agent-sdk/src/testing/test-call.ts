import { randomUUID } from 'node:crypto'
import { HubError, type JsonObject, type ToolResult } from '@synchub/protocol'
import { toInputAnswers } from '../inputs/answers.js'
import type { Questions } from '../inputs/question.js'
import { FIRST_ROUND, nextRound, type Round, takeAnswers } from '../inputs/round.js'
import { InputWish } from '../inputs/wish.js'
import type { AgentLogger } from '../logging/logger.js'
import { maskLogger } from '../logging/masked-logger.js'
import type { HandlerResult, ProgressUpdate, ToolContext } from '../tools/context.js'
import type { AgentTool } from '../tools/definition.js'
import { checkHandlerResult } from '../tools/outcome.js'

/** What a test decides of the call that a handler sees; the rest is made up. */
export interface CallScript {
  readonly callId?: string
  readonly traceId?: string
  /** Default 1. */
  readonly attempt?: number
  readonly deadline?: Date
  readonly callerAgent?: string
  /** Run access token, for tools that make calls of their own. */
  readonly accessToken?: string
  /**
   * Answers what the handler asks with `inputRequired`, by the names of the questions and as a client sends it: `{action, content}` for a
   * form, `{action}` for a page, `{role, content, model}` for a sample. What is missing or does not count is asked again. Without it the
   * caller is one that cannot be asked.
   */
  readonly inputs?: (asked: Questions) => Readonly<Record<string, JsonObject>>
  /** Called with each progress, e.g. to cancel at the second one. */
  readonly onProgress?: (update: ProgressUpdate, call: TestCall) => void
}

/** A call that goes on in a test. */
export interface TestCall {
  /** All progress so far. */
  readonly progress: readonly ProgressUpdate[]
  /**
   * The result, checked against the outputSchema. Rejects with what the handler threw, with the ToolError of a cancel, or, where
   * the handler does not keep a rule of progress or of results, with an Error that names it.
   */
  readonly ended: Promise<ToolResult>
  /** Aborts the signal of the handler, as the hub's cancel does. */
  cancel(reason?: string): void
}

/** Most times that a caller is asked, as clients have it. */
const MAX_ROUNDS = 10

/** Largest answer that an agent sends by default. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/**
 * Runs a handler as the SDK does, without server, store and network.
 * @throws ToolError INVALID_PARAMS when `args` do not keep the inputSchema
 */
export function startCall(tool: AgentTool, args: JsonObject, script: CallScript, logger: AgentLogger): TestCall {
  tool.checkArguments(args)
  const controller = new AbortController()
  const progress: ProgressUpdate[] = []
  const complaints: string[] = []
  const take = (update: ProgressUpdate): void => {
    const complaint = complainOf(update, progress.at(-1))
    if (complaint !== undefined) complaints.push(complaint)
    progress.push(update)
    script.onProgress?.(update, call)
  }
  const contextFor = (round: Round) =>
    contextOf(tool, script, round, { signal: controller.signal, logger, progress: take })
  // The handler begins after this function has returned, so that it can be cancelled from the first progress on.
  const ended = Promise.resolve().then(async () => {
    const result = checkHandlerResult(tool, await runRounds(tool, args, script, contextFor), MAX_ANSWER_BYTES)
    const [complaint] = complaints
    if (complaint !== undefined) throw new Error(`the tool ${tool.listing.name} reported ${complaint}`)
    return result
  })
  const call: TestCall = {
    progress,
    ended,
    cancel: (reason = 'the test cancelled the call') => controller.abort(new HubError('CANCELLED', reason)),
  }
  return call
}

/** @throws ToolError CAPABILITY_MISSING where the script answers nothing; Error where it does not come to an end */
async function runRounds(
  tool: AgentTool,
  args: JsonObject,
  { inputs }: CallScript,
  contextFor: (round: Round) => ToolContext,
): Promise<HandlerResult | string> {
  const { name } = tool.listing
  let round: Round = FIRST_ROUND
  for (let asked = 0; asked < MAX_ROUNDS; asked++) {
    if (Object.keys(round.questions).length === 0) {
      const returned = await tool.run(args, contextFor(round))
      if (!(returned instanceof InputWish)) return returned
      // As served: what JSON does not hold, the handler does not get back.
      round = JSON.parse(JSON.stringify(nextRound(round, returned)))
    }
    if (inputs === undefined)
      throw new HubError('CAPABILITY_MISSING', `the tool ${name} asks, and the test has no inputs`)
    round = takeAnswers(round, inputs(round.questions))
  }
  throw new Error(`the tool ${name} asked ${MAX_ROUNDS} times and was not answered`)
}

function contextOf(
  tool: AgentTool,
  { callId = randomUUID(), traceId = callId, attempt = 1, deadline, callerAgent, accessToken, inputs }: CallScript,
  round: Round,
  { signal, logger, progress }: Pick<ToolContext, 'signal' | 'logger' | 'progress'>,
): ToolContext {
  const accessTokens = accessToken === undefined ? [] : [accessToken]
  const canAsk = inputs !== undefined
  return {
    callId,
    traceId,
    attempt,
    ...(deadline === undefined ? {} : { deadline }),
    ...(callerAgent === undefined ? {} : { callerAgent }),
    accessToken,
    signal,
    logger: maskLogger(logger.child({ traceId, callId, tool: tool.listing.name }), accessTokens),
    progress,
    canAsk: { forms: canAsk, pages: canAsk, samples: canAsk },
    inputs: toInputAnswers(round),
    ...(round.state === undefined ? {} : { inputState: round.state }),
  }
}

/** Served, such progress would be dropped by the agent or the hub; in a test it is a mistake. */
function complainOf({ progress, total }: ProgressUpdate, last: ProgressUpdate | undefined): string | undefined {
  if (!Number.isFinite(progress)) return `progress that is no finite number: ${progress}`
  if (progress < 0) return `progress below 0: ${progress}`
  if (total !== undefined && !(progress <= total)) return `progress ${progress} of a total of ${total}`
  if (last !== undefined && progress <= last.progress)
    return `progress that does not rise: ${last.progress}, ${progress}`
  return undefined
}
