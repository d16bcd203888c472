import type { AgentOutcome } from '@synchub/core'
import { AnswerShapeError, type ErrorCode, HubError, SseFormatError } from '@synchub/protocol'
import { ExchangeError } from '../http/exchange-error.js'
import { BrokenAnswerError } from './broken-answer.js'

/** The outcome that an error of an exchange, or of what was read in it, means; other errors are thrown on. */
export function outcomeOfThrown(thrown: unknown): AgentOutcome {
  if (thrown instanceof ExchangeError) return outcomeOfFailure(thrown)
  const isBroken =
    thrown instanceof BrokenAnswerError || thrown instanceof AnswerShapeError || thrown instanceof SseFormatError
  if (!isBroken) throw thrown
  return { kind: 'broken', error: new HubError('CONTRACT_BROKEN', thrown.message, { cause: thrown }) }
}

/** Errors that say nothing of a list: the agent serves the hub not now, or not with this secret. */
const UNAVAILABLE_CODES: ReadonlySet<ErrorCode> = new Set([
  'AGENT_UNAVAILABLE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
])

/** The error of a list of tools that an agent answered with an error. */
export function refusedListError(error: HubError): HubError {
  const code = UNAVAILABLE_CODES.has(error.code) ? 'AGENT_UNAVAILABLE' : 'CONTRACT_BROKEN'
  return new HubError(code, `the agent refused tools/list: ${error.message}`, { cause: error })
}

/**
 * The error of a read whose exchange ended with this outcome. Nothing was done by it, so a lost answer is nothing unknown.
 * @param thrown - what the outcome was made of
 */
export function readErrorOf(outcome: AgentOutcome, thrown: unknown): HubError {
  if (outcome.kind === 'error' || outcome.kind === 'broken') return outcome.error
  const reason = outcome.kind === 'aborted' ? 'the agent did not answer in time' : messageOf(thrown)
  return new HubError('AGENT_UNAVAILABLE', reason, { cause: thrown })
}

/**
 * The error of a list of tools whose exchange ended with this outcome.
 * @param thrown - what the outcome was made of
 */
export function listErrorOf(outcome: AgentOutcome, thrown: unknown): HubError {
  if (outcome.kind === 'broken') return outcome.error
  if (outcome.kind === 'error') return refusedListError(outcome.error)
  const reason = outcome.kind === 'aborted' ? 'the agent did not list its tools in time' : messageOf(thrown)
  return new HubError('AGENT_UNAVAILABLE', reason, { cause: thrown })
}

/** What somebody threw, in words. */
export function messageOf(thrown: unknown): string {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown
  return String(hasMessage ? thrown.message : thrown)
}

function outcomeOfFailure(error: ExchangeError): AgentOutcome {
  const { failure, message, cause } = error
  switch (failure) {
    case 'aborted':
      return { kind: 'aborted' }
    case 'unreachable':
      return { kind: 'unreachable', error: new HubError('AGENT_UNAVAILABLE', message, { cause }) }
    case 'lost':
      return { kind: 'lost', error: new HubError('OUTCOME_UNKNOWN', message, { cause }) }
    case 'garbled':
      return { kind: 'broken', error: new HubError('CONTRACT_BROKEN', message, { cause }) }
  }
}
