import type { AgentOutcome } from '@synchub/core'
import { HubError, SseFormatError, ToolResultError } from '@synchub/protocol'
import { ExchangeError } from '../http/exchange-error.js'
import { BrokenAnswerError } from './broken-answer.js'

/** The outcome that an error of an exchange, or of what was read in it, means; other errors are thrown on. */
export function outcomeOfThrown(thrown: unknown): AgentOutcome {
  if (thrown instanceof ExchangeError) return outcomeOfFailure(thrown)
  const isBroken =
    thrown instanceof BrokenAnswerError || thrown instanceof ToolResultError || thrown instanceof SseFormatError
  if (!isBroken) throw thrown
  return { kind: 'broken', error: new HubError('CONTRACT_BROKEN', thrown.message, { cause: thrown }) }
}

/**
 * The error that a list of tools ends with where its exchange ended with this outcome.
 * @param thrown - what the outcome was made of
 */
export function listErrorOf(outcome: AgentOutcome, thrown: unknown): HubError {
  if (outcome.kind === 'broken') return outcome.error
  const reason = outcome.kind === 'aborted' ? 'the agent did not list its tools in time' : messageOf(thrown)
  return new HubError('AGENT_UNAVAILABLE', reason, { cause: thrown })
}

/** What somebody threw, in words. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
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
