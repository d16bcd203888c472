import { randomBytes } from 'node:crypto'
import { type AskableQuery, pickAnswers } from '@synchub/core'
import {
  declaredInputs,
  findUndeclaredInput,
  HubError,
  type InputRequired,
  isJsonObject,
  type JsonObject,
  missingCapability,
} from '@synchub/protocol'
import { createHeldQuestions } from '@synchub/redis'
import type { HubContext } from '../../hub-context.js'
import type { McpCall, McpOutcome } from '../mcp-method.js'
import { giveState, takeState, wrongState } from './request-state.js'

/** How long a client may take to answer. */
const HELD_MS = 10 * 60_000

/** What a client answered, with the state that the agent gave along. */
export interface HeldInput {
  readonly responses: JsonObject
  readonly requestState?: string
}

/** What an agent is told of a client that reads: in the modern era, what it can be asked, and what it answered. */
export function askable({ era, clientCapabilities }: McpCall, input: HeldInput | undefined): AskableQuery {
  return {
    ...(era === 'modern' ? { inputCapabilities: declaredInputs(clientCapabilities) } : {}),
    ...(input === undefined ? {} : { input }),
  }
}

/**
 * Asks the client what an agent asks before it reads something. There is no call that could wait, so the question is held by
 * itself, for one answer; its state says for whom, and for which request.
 * @param request - method and parameters as they must come again
 * @throws RevisionError where the request does not declare that it can be answered, HubError CAPABILITY_MISSING in the legacy era
 */
export async function askBeforeRead(
  request: JsonObject,
  { inputRequests, requestState: agentState }: InputRequired,
  { era, clientCapabilities, principal }: McpCall,
  context: HubContext,
): Promise<McpOutcome> {
  if (era === 'legacy') {
    const reason = 'the agent asks something before it reads, which MCP has a way for since 2026-07-28 only'
    throw new HubError('CAPABILITY_MISSING', reason, {
      requiredCapabilities: findUndeclaredInput(inputRequests, {}) ?? {},
      nextStep: 'Connect with that revision, or ask for something else.',
    })
  }
  const undeclared = findUndeclaredInput(inputRequests, clientCapabilities)
  if (undeclared !== undefined) throw missingCapability(Object.keys(undeclared).join(', '), undeclared)
  const name = randomBytes(16).toString('base64url')
  // Their methods alone say what is an answer to them; what they show is not kept.
  const requests = Object.fromEntries(Object.entries(inputRequests).map(([asked, { method }]) => [asked, { method }]))
  const question = { requests, ...(agentState === undefined ? {} : { agentState }) }
  await createHeldQuestions(context.store.link).hold(name, question, HELD_MS)
  const content = { name, expiresAtMs: context.clock.now() + HELD_MS }
  const requestState = await giveState(content, { principal, request }, context)
  return { kind: 'input', inputRequests, requestState, meta: {} }
}

/**
 * What a request brings of answers to an earlier one; undefined for one that begins.
 * @throws HubError INVALID_PARAMS, the same for every state that does not hold, and for an answer that the agent cannot be given:
 * its state still holds
 */
export async function takeHeldInput(
  request: JsonObject,
  { requestState, inputResponses }: JsonObject,
  { era, principal }: McpCall,
  context: HubContext,
): Promise<HeldInput | undefined> {
  if (era !== 'modern' || requestState === undefined) return undefined
  const name = await takeState(requestState, { principal, request }, context)
  const questions = createHeldQuestions(context.store.link)
  const held = await questions.find(name)
  if (held === null) throw noLongerHeld()
  const responses = pickAnswers(held.requests, isJsonObject(inputResponses) ? inputResponses : {})
  // Whoever answers at the same time has it.
  if (!(await questions.take(name))) throw noLongerHeld()
  return { responses, ...(held.agentState === undefined ? {} : { requestState: held.agentState }) }
}

function noLongerHeld(): HubError {
  return wrongState('the request was answered meanwhile, or too much time has passed')
}
