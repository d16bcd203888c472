import { HubError } from '@synchub/protocol'
import Negotiator from 'negotiator'

/** Forms in which a client can read an answer (RFC 9110 section 12.5.1). */
export interface Acceptance {
  readonly json: boolean
  readonly stream: boolean
  /** The client named text/event-stream itself, not just everything. */
  readonly namesStream: boolean
}

const ANYTHING: Acceptance = { json: true, stream: true, namesStream: false }
const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

/** Reads an Accept header; absent means everything. @throws HubError NOT_ACCEPTABLE when it names neither form */
export function readAccept(accept: string | undefined): Acceptance {
  if (accept === undefined || accept === '*/*') return ANYTHING
  const types = new Negotiator({ headers: { accept } }).mediaTypes([JSON_TYPE, STREAM_TYPE])
  const json = types.includes(JSON_TYPE)
  const stream = types.includes(STREAM_TYPE)
  if (!json && !stream) {
    throw new HubError(
      'NOT_ACCEPTABLE',
      `the Accept header ${JSON.stringify(accept)} names no form that is served here`,
    )
  }
  return { json, stream, namesStream: stream && accept.toLowerCase().includes(STREAM_TYPE) }
}
