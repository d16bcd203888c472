import type { StopSignal } from '@synchub/core'
import { errors } from 'undici'

/**
 * Why an exchange over HTTP brought no answer. `unreachable`: nothing was sent. `lost`: the request had gone out. `garbled`: what
 * came is no HTTP. `aborted`: our own signal.
 */
export type ExchangeFailure = 'unreachable' | 'lost' | 'garbled' | 'aborted'

/** An exchange that brought no answer. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly failure: ExchangeFailure

  constructor(failure: ExchangeFailure, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.failure = failure
  }

  /** Tells from an error of the HTTP client, and from how far the request was, what it means for the call. */
  static from(cause: unknown, isSent: boolean, signal: StopSignal): ExchangeError {
    if (signal.aborted) return new ExchangeError('aborted', 'the request was aborted', cause)
    const code = codeOf(cause)
    if (!isSent) return new ExchangeError('unreachable', `the agent cannot be reached (${code})`, cause)
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return new ExchangeError('garbled', 'its headers are too large', cause)
    if (cause instanceof errors.HTTPParserError && !isCutOff(cause))
      return new ExchangeError('garbled', 'its answer is no HTTP', cause)
    return new ExchangeError('lost', `the connection to the agent was lost (${code})`, cause)
  }
}

/** What came was HTTP and broke off: so the parser tells of the end of an answer that said it would be the connection's last. */
function isCutOff({ message }: Error): boolean {
  return message.includes('Invalid EOF state')
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  return 'message' in thrown ? String(thrown.message) : 'no reason given'
}
