import { type Frame, HubError, parseBody } from '@synchub/protocol'

/** Deepest nesting of a body. */
const MAX_DEPTH = 64

/**
 * Decodes the one JSON-RPC frame that a text holds.
 * @throws HubError PARSE_ERROR when it is no JSON
 */
export function parseSingleFrame(text: string): Frame {
  const body = parseBody(text, { maxDepth: MAX_DEPTH, maxBatchSize: 1 })
  if (!body.batch) return body.frame
  return {
    kind: 'invalid',
    id: null,
    error: new HubError('INVALID_REQUEST', 'an agent takes one request at a time, no batch'),
  }
}
