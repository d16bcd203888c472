/** The forms in which a call can be answered. */
export interface AcceptedForms {
  readonly json: boolean
  readonly stream: boolean
}

/**
 * Reads an `Accept` header (RFC 9110 section 12.5.1). JSON is what a reader that names nothing gets; a stream must be named, for
 * `*` + `/*` is also what a reader sends that knows no streams.
 */
export function parseAccept(header: string | undefined): AcceptedForms {
  if (header === undefined || header.trim() === '') return { json: true, stream: false }
  const ranges = header.split(',').map((range) => range.trim().toLowerCase())
  const accepted = ranges
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*$/.test(range))
    .map((range) => range.split(';')[0]?.trim())
  return {
    json: accepted.some((type) => type === 'application/json' || type === 'application/*' || type === '*/*'),
    stream: accepted.includes('text/event-stream'),
  }
}
