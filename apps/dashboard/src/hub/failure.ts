import { type ErrorCode, errorDefinition, HubError, isErrorCode, isJsonObject } from '@synchub/protocol'

/** A failure as pages show it; it passes between threads as it is. */
export interface Failure {
  readonly code: ErrorCode
  /** What exactly was wrong, in the words of the hub or the agent. */
  readonly reason: string
  /** What to do now, where the hub knows better than its table. */
  readonly nextStep?: string
}

/** Advice that is no more than the hub's table has for every such failure is left to the pages, which have it in each language. */
function adviceOf(code: ErrorCode, nextStep: unknown): Pick<Failure, 'nextStep'> {
  return typeof nextStep === 'string' && nextStep !== errorDefinition(code).nextStep ? { nextStep } : {}
}

/** What was thrown, as a failure. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof HubError) {
    return { code: thrown.code, reason: thrown.reason, ...adviceOf(thrown.code, thrown.details.nextStep) }
  }
  return { code: 'INTERNAL_ERROR', reason: thrown instanceof Error ? thrown.message : String(thrown) }
}

/** The failure in an event or a call's record; undefined where there is none. */
export function readFailure(error: unknown): Failure | undefined {
  if (!isJsonObject(error)) return undefined
  const data = isJsonObject(error.data) ? error.data : {}
  const code = isErrorCode(data.title) ? data.title : 'INTERNAL_ERROR'
  const told = [data.detail, error.message].find((text) => typeof text === 'string')
  const reason = typeof told === 'string' ? told : ''
  return { code, reason, ...adviceOf(code, data.nextStep) }
}
