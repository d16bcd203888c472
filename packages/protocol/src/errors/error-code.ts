/** Where a failure belongs, since the next step differs by it (S4.4). */
export type ErrorLayer = 'transport' | 'message' | 'access' | 'business' | 'agent' | 'hub'

/** Whether asking again can help: `never` without a change, `later` after a pause, `query` means ask for the outcome first. */
export type RetryAdvice = 'never' | 'later' | 'query'

/** One row of the error table. */
export interface ErrorDefinition {
  /** JSON-RPC code on the native surface. */
  readonly rpcCode: number
  /** Human name; the error's `message` starts with it. */
  readonly name: string
  /** HTTP status, also put into `error.data.status` on every surface. */
  readonly status: number
  readonly layer: ErrorLayer
  readonly retry: RetryAdvice
  /** What the reader should do now, when the thrower knows nothing better. */
  readonly nextStep: string
}

/**
 * The one table of failures: contract S0.5, then our extension of it. Keys are the closed set of titles; readers branch on
 * `error.data.title`, which is the same on every surface. Codes of ours lie outside JSON-RPC's reserved range.
 */
export const ERROR_TABLE = {
  PARSE_ERROR: {
    rpcCode: -32700,
    name: 'Parse Error',
    status: 400,
    layer: 'message',
    retry: 'never',
    nextStep: 'Send one JSON text encoded as UTF-8.',
  },
  INVALID_REQUEST: {
    rpcCode: -32600,
    name: 'Invalid Request',
    status: 400,
    layer: 'message',
    retry: 'never',
    nextStep: 'Send a JSON-RPC 2.0 request; check the versions of client and server.',
  },
  METHOD_NOT_FOUND: {
    rpcCode: -32601,
    name: 'Method Not Found',
    status: 404,
    layer: 'message',
    retry: 'never',
    nextStep: 'Ask tools/list for the tools that exist; check the versions of client and server.',
  },
  INVALID_PARAMS: {
    rpcCode: -32602,
    name: 'Invalid params',
    status: 422,
    layer: 'business',
    retry: 'never',
    nextStep: 'Correct the parameter that the error names and send the call again.',
  },
  INTERNAL_ERROR: {
    rpcCode: -32603,
    name: 'Internal Error',
    status: 500,
    layer: 'agent',
    retry: 'never',
    nextStep: 'Report the traceId to the operator of the agent.',
  },
  HITL_APPROVAL_REQUIRED: {
    rpcCode: -32001,
    name: 'HITL Approval Required',
    status: 403,
    layer: 'business',
    retry: 'later',
    nextStep: 'Have an administrator decide the approval ticket, then send the call again.',
  },
  TOKEN_BUDGET_EXCEEDED: {
    rpcCode: -32002,
    name: 'Token Budget Exceeded',
    status: 429,
    layer: 'business',
    retry: 'later',
    nextStep: 'Wait for the next budget period or ask for a larger budget.',
  },
  COMPENSATING_TX_TRIGGERED: {
    rpcCode: -32003,
    name: 'Compensating Tx Triggered',
    status: 500,
    layer: 'business',
    retry: 'query',
    nextStep: 'Watch the trace until the compensation has ended.',
  },
  DEADLINE_EXCEEDED: {
    rpcCode: -31004,
    name: 'Deadline Exceeded',
    status: 504,
    layer: 'transport',
    retry: 'query',
    nextStep: 'The call goes on: watch its events, or ask calls/get for its outcome. Do not send it again.',
  },
  CANCELLED: {
    rpcCode: -31005,
    name: 'Cancelled',
    status: 409,
    layer: 'business',
    retry: 'never',
    nextStep: 'The call was cancelled; send a new call if the work is still wanted.',
  },
  FORBIDDEN: {
    rpcCode: -31006,
    name: 'Forbidden',
    status: 403,
    layer: 'access',
    retry: 'never',
    nextStep: 'Ask the operator of the hub for the scope that the error names.',
  },
  CONTRACT_BROKEN: {
    rpcCode: -31007,
    name: 'Contract Broken',
    status: 502,
    layer: 'agent',
    retry: 'never',
    nextStep: 'Report the traceId to the operator of the agent: its answer does not keep its contract.',
  },
  IDEMPOTENCY_CONFLICT: {
    rpcCode: -31008,
    name: 'Idempotency Conflict',
    status: 409,
    layer: 'business',
    retry: 'never',
    nextStep: 'Use a new idempotency key for another tool or other arguments.',
  },
  AGENT_UNAVAILABLE: {
    rpcCode: -31009,
    name: 'Agent Unavailable',
    status: 503,
    layer: 'agent',
    retry: 'later',
    nextStep: 'Nothing was done: send the call again when the agent is back.',
  },
  TOO_MANY_REQUESTS: {
    rpcCode: -31010,
    name: 'Too Many Requests',
    status: 429,
    layer: 'access',
    retry: 'later',
    nextStep: 'Send fewer requests at a time and try again later.',
  },
  OUTCOME_UNKNOWN: {
    rpcCode: -31011,
    name: 'Outcome Unknown',
    status: 504,
    layer: 'transport',
    retry: 'query',
    nextStep: 'The agent may or may not have acted: look at its side before you send the call again.',
  },
  CAPABILITY_MISSING: {
    rpcCode: -31012,
    name: 'Capability Missing',
    status: 400,
    layer: 'message',
    retry: 'never',
    nextStep: 'Use a client that can answer what the error names, and declares it.',
  },
  HUB_UNAVAILABLE: {
    rpcCode: -31503,
    name: 'Hub Unavailable',
    status: 503,
    layer: 'hub',
    retry: 'later',
    nextStep: 'The hub cannot reach its store: try again later with the same idempotency key.',
  },
  STORE_FULL: {
    rpcCode: -31507,
    name: 'Store Full',
    status: 507,
    layer: 'hub',
    retry: 'later',
    nextStep: 'Ask the operator of the hub to raise the maxmemory of its Redis, or to keep traces for a shorter time.',
  },
  UNAUTHENTICATED: {
    rpcCode: -31401,
    name: 'Unauthenticated',
    status: 401,
    layer: 'access',
    retry: 'never',
    nextStep: 'Send an API key of this hub as "Authorization: Bearer <key>".',
  },
  NOT_FOUND: {
    rpcCode: -31404,
    name: 'Not Found',
    status: 404,
    layer: 'business',
    retry: 'never',
    nextStep: 'Check the id; what another owner holds looks missing too.',
  },
  METHOD_NOT_ALLOWED: {
    rpcCode: -31405,
    name: 'Method Not Allowed',
    status: 405,
    layer: 'transport',
    retry: 'never',
    nextStep: 'Use one of the HTTP methods in the Allow header.',
  },
  NOT_ACCEPTABLE: {
    rpcCode: -31406,
    name: 'Not Acceptable',
    status: 406,
    layer: 'transport',
    retry: 'never',
    nextStep: 'Accept application/json or text/event-stream.',
  },
  PAYLOAD_TOO_LARGE: {
    rpcCode: -31413,
    name: 'Payload Too Large',
    status: 413,
    layer: 'transport',
    retry: 'never',
    nextStep: 'Send a smaller body, or have the operator raise limits.maxBodyBytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    rpcCode: -31415,
    name: 'Unsupported Media Type',
    status: 415,
    layer: 'transport',
    retry: 'never',
    nextStep: 'Send the body as application/json without Content-Encoding.',
  },
} as const satisfies Record<string, ErrorDefinition>

/** The closed set of error titles. */
export type ErrorCode = keyof typeof ERROR_TABLE

/** All error titles in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_TABLE) as readonly ErrorCode[]

/** Whether `value` is one of the titles of the table. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_TABLE, value)
}

/** The row of the table for `code`. */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
  return ERROR_TABLE[code]
}
