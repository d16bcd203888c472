import { describe, expect, test } from '@jest/globals'
import { ERROR_CODES, ERROR_TABLE, errorDefinition, isErrorCode, problemType } from '../../src/index.js'

// The whole table, so that it cannot grow or change in silence: first the contract's own (S0.5), then our extension of it.
const TABLE = `
-32700  Parse Error                 PARSE_ERROR                400  message    never  parse-error
-32600  Invalid Request             INVALID_REQUEST            400  message    never  invalid-request
-32601  Method Not Found            METHOD_NOT_FOUND           404  message    never  method-not-found
-32602  Invalid params              INVALID_PARAMS             422  business   never  invalid-params
-32603  Internal Error              INTERNAL_ERROR             500  agent      never  internal-error
-32001  HITL Approval Required      HITL_APPROVAL_REQUIRED     403  business   later  hitl-approval-required
-32002  Token Budget Exceeded       TOKEN_BUDGET_EXCEEDED      429  business   later  token-budget-exceeded
-32003  Compensating Tx Triggered   COMPENSATING_TX_TRIGGERED  500  business   query  compensating-tx-triggered
-31004  Deadline Exceeded           DEADLINE_EXCEEDED          504  transport  query  deadline-exceeded
-31005  Cancelled                   CANCELLED                  409  business   never  cancelled
-31006  Forbidden                   FORBIDDEN                  403  access     never  forbidden
-31007  Contract Broken             CONTRACT_BROKEN            502  agent      never  contract-broken
-31008  Idempotency Conflict        IDEMPOTENCY_CONFLICT       409  business   never  idempotency-conflict
-31009  Agent Unavailable           AGENT_UNAVAILABLE          503  agent      later  agent-unavailable
-31010  Too Many Requests           TOO_MANY_REQUESTS          429  access     later  too-many-requests
-31011  Outcome Unknown             OUTCOME_UNKNOWN            504  transport  query  outcome-unknown
-31012  Capability Missing          CAPABILITY_MISSING         400  message    never  capability-missing
-31503  Hub Unavailable             HUB_UNAVAILABLE            503  hub        later  hub-unavailable
-31507  Store Full                  STORE_FULL                 507  hub        later  store-full
-31401  Unauthenticated             UNAUTHENTICATED            401  access     never  unauthenticated
-31404  Not Found                   NOT_FOUND                  404  business   never  not-found
-31405  Method Not Allowed          METHOD_NOT_ALLOWED         405  transport  never  method-not-allowed
-31406  Not Acceptable              NOT_ACCEPTABLE             406  transport  never  not-acceptable
-31413  Payload Too Large           PAYLOAD_TOO_LARGE          413  transport  never  payload-too-large
-31415  Unsupported Media Type      UNSUPPORTED_MEDIA_TYPE     415  transport  never  unsupported-media-type
`

const rows = TABLE.trim()
  .split('\n')
  .map((line) => line.split(/ {2,}/))

describe('error table', () => {
  test('is the table of the contract and our extension of it, whole', () => {
    const actual = Object.entries(ERROR_TABLE).map(([title, { rpcCode, name, status, layer, retry }]) => [
      String(rpcCode),
      name,
      title,
      String(status),
      layer,
      retry,
      problemType(title as keyof typeof ERROR_TABLE).replace('https://empasy.io/errors/', ''),
    ])
    expect(actual).toEqual(rows)
  })

  test('gives each failure a problem type of its own below empasy.io', () => {
    const types = ERROR_CODES.map(problemType)
    expect(new Set(types).size).toBe(ERROR_CODES.length)
    for (const type of types) expect(type).toMatch(/^https:\/\/empasy\.io\/errors\/[a-z-]+$/)
  })

  test('gives each failure a number of its own, ours outside of the range that JSON-RPC reserves', () => {
    const numbers = ERROR_CODES.map((code) => errorDefinition(code).rpcCode)
    expect(new Set(numbers).size).toBe(numbers.length)
    const reserved = numbers.filter((number) => number >= -32768 && number <= -32000)
    expect(reserved).toEqual([-32700, -32600, -32601, -32602, -32603, -32001, -32002, -32003])
  })

  test('tells the reader of every failure what to do next, in a sentence', () => {
    for (const code of ERROR_CODES) expect(errorDefinition(code).nextStep).toMatch(/^[A-Z].{15,}\.$/)
  })

  test('knows its own titles and no inherited names', () => {
    expect(isErrorCode('FORBIDDEN')).toBe(true)
    for (const value of ['forbidden', '', 'toString', '__proto__', 'constructor', -32600, null, undefined]) {
      expect(isErrorCode(value)).toBe(false)
    }
  })
})
