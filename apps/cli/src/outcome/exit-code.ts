import type { ErrorCode } from '@synchub/protocol'

/** Every way in which the command ends, with what it means. Shown by `synchub --help`; scripts rely on it. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'the call, the tool or a check failed, or something unexpected happened' },
  usage: { code: 2, meaning: 'the command line is not right; nothing was sent' },
  refused: { code: 3, meaning: 'refused: the work was not done' },
  cancelled: { code: 4, meaning: 'the call was cancelled' },
  goesOn: { code: 5, meaning: 'the wait ran out; the call goes on' },
  unknown: { code: 6, meaning: 'the outcome is not known: the agent may or may not have acted' },
  unreachable: { code: 7, meaning: 'the hub cannot be reached, or not its store' },
  interrupted: { code: 130, meaning: 'ended by Ctrl-C; calls go on' },
} as const

/** The name of an exit code. */
export type ExitName = keyof typeof EXIT_CODES

const EXIT_BY_ERROR: Readonly<Record<ErrorCode, ExitName>> = {
  PARSE_ERROR: 'refused',
  INVALID_REQUEST: 'refused',
  METHOD_NOT_FOUND: 'refused',
  INVALID_PARAMS: 'refused',
  INTERNAL_ERROR: 'failed',
  HITL_APPROVAL_REQUIRED: 'refused',
  TOKEN_BUDGET_EXCEEDED: 'refused',
  COMPENSATING_TX_TRIGGERED: 'failed',
  DEADLINE_EXCEEDED: 'goesOn',
  CANCELLED: 'cancelled',
  FORBIDDEN: 'refused',
  CONTRACT_BROKEN: 'failed',
  IDEMPOTENCY_CONFLICT: 'refused',
  AGENT_UNAVAILABLE: 'refused',
  TOO_MANY_REQUESTS: 'refused',
  OUTCOME_UNKNOWN: 'unknown',
  CAPABILITY_MISSING: 'refused',
  HUB_UNAVAILABLE: 'unreachable',
  STORE_FULL: 'refused',
  UNAUTHENTICATED: 'refused',
  NOT_FOUND: 'refused',
  METHOD_NOT_ALLOWED: 'refused',
  NOT_ACCEPTABLE: 'refused',
  PAYLOAD_TOO_LARGE: 'refused',
  UNSUPPORTED_MEDIA_TYPE: 'refused',
}

/** How the command ends after a failure of this title. */
export function exitOfError(code: ErrorCode): ExitName {
  return EXIT_BY_ERROR[code]
}

/** The table of exit codes, for `--help`. */
export function describeExitCodes(): string {
  const lines = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`)
  return ['Exit codes:', ...lines].join('\n')
}
