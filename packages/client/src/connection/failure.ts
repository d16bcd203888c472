import { type ErrorCode, fromErrorObject, HubError, isJsonObject } from '@synchub/protocol'

/** No answer came: the hub cannot be reached, or the connection was lost. `cause` is what fetch threw. */
export function unreachable(baseUrl: string, what: string, cause: unknown): HubError {
  const reason = `the hub at ${baseUrl} ${what}${describeCause(cause)}`
  return new HubError('HUB_UNAVAILABLE', reason, {
    cause,
    nextStep:
      'Check that the hub runs and that its address is right; what was already sent to it may still be at work.',
  })
}

/** An answer came, but none that a hub gives: a wrong address, a proxy between, or another version. */
export function notOurHub(baseUrl: string, what: string, cause?: unknown): HubError {
  return new HubError('CONTRACT_BROKEN', `the hub at ${baseUrl} ${what}`, {
    cause,
    nextStep: 'Check that the address is that of a SyncHub hub, and compare the versions of client and hub.',
  })
}

/**
 * Whether the same request may be sent again after a pause: no answer came, or one that says "later" and nothing else. What
 * an agent refuses for now (AGENT_UNAVAILABLE) is an answer, and not ours to repeat.
 */
export function isTransient(thrown: unknown): thrown is HubError {
  if (!(thrown instanceof HubError)) return false
  if (thrown.code === 'HUB_UNAVAILABLE' || thrown.code === 'TOO_MANY_REQUESTS') return true
  return thrown.code === 'INTERNAL_ERROR' && thrown.details.retryAfterSeconds !== undefined
}

/** The pause that a failed answer asked for, in ms. */
export function retryHintMs(error: HubError): number | undefined {
  const { retryAfterSeconds } = error.details
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
}

/** An answer that is no success, as far as {@link errorOfAnswer} needs it. */
export interface FailedAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/** The failure that an HTTP answer reports. A body that is not the hub's own (a proxy's page, say) is judged by its status. */
export function errorOfAnswer(baseUrl: string, { status, text, retryAfter }: FailedAnswer): HubError {
  const body = parseJson(text)
  const error =
    isJsonObject(body) && isJsonObject(body.error)
      ? fromErrorObject(body.error, codeOfStatus(status))
      : new HubError(
          codeOfStatus(status),
          `the hub at ${baseUrl}, or a proxy before it, answered with status ${status}`,
        )
  const retryAfterSeconds = Number(retryAfter ?? Number.NaN)
  if (error.details.retryAfterSeconds !== undefined || !(retryAfterSeconds >= 0)) return error
  return error.with({ retryAfterSeconds })
}

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  502: 'HUB_UNAVAILABLE',
  503: 'HUB_UNAVAILABLE',
  504: 'HUB_UNAVAILABLE',
}

function codeOfStatus(status: number): ErrorCode {
  return CODES_BY_STATUS[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST')
}

/** Parses what may be a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Node's fetch hides the reason (`ECONNREFUSED`) in the cause of its TypeError; browsers tell none. */
function describeCause(thrown: unknown): string {
  for (let cause = thrown, depth = 0; isRecord(cause) && depth < 5; cause = cause.cause, depth++) {
    if (typeof cause.code === 'string') return ` (${cause.code})`
  }
  return ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
