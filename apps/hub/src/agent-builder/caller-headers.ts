import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { CarriedHeaders } from '@synchub/core'
import { HubError } from '@synchub/protocol'

/** What a request on a public path says of its caller beside the call; every header of it is optional (S1.6). */
export interface CallerHeaders {
  /** Name of this exchange, echoed in the response and in error bodies. */
  readonly guid: string
  /** Name of this request, echoed in the response. */
  readonly requestId: string
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined
  /** The `traceparent` header. */
  readonly traceparent: string | undefined
  /** What goes on to the tool service unread. */
  readonly carried: CarriedHeaders
  /** Why the request is refused, where a header is not what it may be. */
  readonly fault: HubError | undefined
}

/** Says of a header's value whether it may be so; absent headers are never asked about. */
interface HeaderRule {
  readonly allows: (value: string) => boolean
  readonly expected: string
}

const UUID: HeaderRule = {
  allows: (value) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  expected: 'a UUID',
}
const SAFE: HeaderRule = {
  allows: (value) => /^[A-Za-z0-9._:~/+=@-]{1,128}$/.test(value),
  expected: '1 to 128 characters of A-Z a-z 0-9 . _ : ~ / + = @ -',
}
const OPAQUE: HeaderRule = {
  allows: (value) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,2048}$/u.test(asText(value)),
  expected: '1 to 2048 printable characters without blanks',
}

/** Names of an employee: what they mean is the tool service's to know. */
const CARRIED = ['employee-no', 'virtual-employee-no'] as const

const RULES: Readonly<Record<string, HeaderRule>> = {
  guid: UUID,
  'x-request-id': SAFE,
  // Issued by us and kept by nobody: it may say anything, or be missing.
  'mcp-session-id': SAFE,
  ...Object.fromEntries(CARRIED.map((name) => [name, OPAQUE])),
}

/** Reads the headers; what is absent and must be echoed is made up, as is what cannot be echoed. */
export function readCallerHeaders(headers: IncomingHttpHeaders): CallerHeaders {
  const faults = Object.entries(RULES).filter(([name, rule]) => {
    const value = headerText(headers, name)
    return value !== undefined && !rule.allows(value)
  })
  const [fault] = faults
  const usable = (name: string) => (faults.some(([faulty]) => faulty === name) ? undefined : headerText(headers, name))
  return {
    guid: usable('guid') ?? randomUUID(),
    requestId: usable('x-request-id') ?? randomUUID(),
    idempotencyKey: headerText(headers, 'idempotency-key'),
    traceparent: headerText(headers, 'traceparent'),
    carried: Object.fromEntries(
      CARRIED.flatMap((name) => {
        const value = usable(name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    fault: fault === undefined ? undefined : badHeader(...fault),
  }
}

/** Puts the names of the exchange on its response, whatever that will be. */
export function echoCallerHeaders(res: ServerResponse, { guid, requestId }: CallerHeaders): void {
  res.setHeader('guid', guid)
  res.setHeader('x-request-id', requestId)
}

/** The value is not shown: it may name a person. */
function badHeader(name: string, { expected }: HeaderRule): HubError {
  const reason = `the header ${name} must be ${expected}`
  return new HubError('INVALID_REQUEST', reason, { path: name, expected, nextStep: `Correct the header ${name}.` })
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Node gives a header byte by byte; bytes that are no UTF-8 become U+FFFD, which is let through nowhere else. */
function asText(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? '' : text
}
