import { HubError } from '@synchub/protocol'
import Negotiator from 'negotiator'

/** Forms in which a client can read an answer (RFC 9110 section 12.5.1). */
export interface Acceptance {
  readonly json: boolean
  readonly stream: boolean
  /** The client asks for a stream: it names text/event-stream, or takes no JSON. */
  readonly namesStream: boolean
}

const ANYTHING: Acceptance = { json: true, stream: true, namesStream: false }
const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
// Parameters but the weight: a charset, say, makes no other form of JSON.
const PARAMETERS = /;(?!\s*q\s*=)[^,;]*/gi

/** Headers are few, and each costs a dozen microseconds to read; they come from outside, so what is kept has a bound. */
const known = new Map<string, Acceptance>()
const MAX_KNOWN = 200

/** Reads an Accept header; absent or empty means everything. @throws HubError NOT_ACCEPTABLE when it names neither form */
export function readAccept(accept: string | undefined): Acceptance {
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return ANYTHING
  const acceptance = known.get(accept) ?? judgeRanges(accept)
  if (known.size < MAX_KNOWN) known.set(accept, acceptance)
  return acceptance
}

function judgeRanges(accept: string): Acceptance {
  const ranges = accept.toLowerCase().replace(PARAMETERS, '')
  const types = new Negotiator({ headers: { accept: ranges } }).mediaTypes([JSON_TYPE, STREAM_TYPE])
  const json = types.includes(JSON_TYPE)
  const stream = types.includes(STREAM_TYPE)
  if (!json && !stream) {
    throw new HubError(
      'NOT_ACCEPTABLE',
      `the Accept header ${JSON.stringify(accept)} names no form that is served here`,
    )
  }
  return { json, stream, namesStream: stream && (!json || ranges.includes(STREAM_TYPE)) }
}
