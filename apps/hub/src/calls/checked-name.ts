import { HubError, IDEMPOTENCY_KEY_RULE, isIdempotencyKey } from '@synchub/protocol'

/** A rule that a name of a caller must keep. */
export type NameRule = (value: unknown) => value is string

/** A name that a caller sent. @throws HubError INVALID_PARAMS naming place and expectation */
export function checkedName(path: string, value: unknown, rule: NameRule, expected: string): string {
  if (rule(value)) return value
  throw new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}

/** Like {@link checkedName}, for a name that may be left away. @throws HubError INVALID_PARAMS */
export function optionalName(path: string, value: unknown, rule: NameRule, expected: string): string | undefined {
  return value === undefined ? undefined : checkedName(path, value, rule, expected)
}

/** Where an idempotency key may stand: a member of the body, and the header. */
export interface SentKey {
  /** Name of the member. */
  readonly path: string
  readonly inBody: unknown
  readonly inHeader: string | undefined
}

/** The idempotency key of a request. @throws HubError INVALID_PARAMS when it is none, or header and body differ */
export function readIdempotencyKey({ path, inBody, inHeader }: SentKey): string | undefined {
  const place = inBody === undefined ? 'Idempotency-Key' : path
  const key = optionalName(place, inBody ?? inHeader, isIdempotencyKey, IDEMPOTENCY_KEY_RULE)
  if (inBody === undefined || inHeader === undefined || inBody === inHeader) return key
  const expected = 'the same key as the Idempotency-Key header, or none'
  throw new HubError('INVALID_PARAMS', `the Idempotency-Key header and ${path} differ`, { path, expected })
}
