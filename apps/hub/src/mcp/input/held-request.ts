import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
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

/** How long a client may take to answer. */
const HELD_MS = 10 * 60_000

/** What a client answered, with the state that the agent gave along. */
export interface HeldInput {
  readonly responses: JsonObject
  readonly requestState?: string
}

/**
 * Asks the client what an agent asks before it reads something. There is no call that could wait, so the question is held by
 * itself: for this caller, this very request, and one answer.
 * @param request - method and parameters as they must come again
 * @throws RevisionError where the request does not declare that it can be answered
 */
export async function askBeforeRead(
  request: JsonObject,
  { inputRequests, requestState: agentState }: InputRequired,
  { clientCapabilities, principal: { tenant, subject } }: McpCall,
  { store }: HubContext,
): Promise<McpOutcome> {
  const undeclared = findUndeclaredInput(inputRequests, clientCapabilities)
  if (undeclared !== undefined) throw missingCapability(Object.keys(undeclared).join(', '), undeclared)
  const requestState = randomBytes(16).toString('base64url')
  const question = { caller: [tenant, subject], request, ...(agentState === undefined ? {} : { agentState }) }
  await createHeldQuestions(store.link).hold(requestState, question, HELD_MS)
  return { kind: 'input', inputRequests, requestState, meta: {} }
}

/**
 * What a request brings of answers to an earlier one; undefined for one that begins.
 * @throws HubError INVALID_PARAMS, the same for every state that does not hold
 */
export async function takeHeldInput(
  request: JsonObject,
  { requestState, inputResponses }: JsonObject,
  { era, principal: { tenant, subject } }: McpCall,
  { store }: HubContext,
): Promise<HeldInput | undefined> {
  if (era !== 'modern' || typeof requestState !== 'string') return undefined
  const held = await createHeldQuestions(store.link).take(requestState)
  if (held === null || !isDeepStrictEqual([held.caller, held.request], [[tenant, subject], request])) {
    const place = { path: 'requestState', expected: 'the state of a request that waits for input' }
    throw new HubError('INVALID_PARAMS', 'the requestState is not that of a request that waits for input', place)
  }
  const { agentState } = held
  return {
    responses: isJsonObject(inputResponses) ? inputResponses : {},
    ...(typeof agentState === 'string' ? { requestState: agentState } : {}),
  }
}
