import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestLimits } from '@synchub/core'
import { eraOfHeaders, HubError } from '@synchub/protocol'
import { type Acceptance, readAccept } from '../http/accept.js'
import { readJsonBody } from '../http/body.js'
import { toHubFailure } from '../http/hub-fault.js'
import { errorHeaders, sendJson } from '../http/respond.js'
import { encodeFailure, encodeTransportRefusal } from './era-encoder.js'

/** Where the MCP endpoint is. */
export const MCP_PATH = '/mcp'

/** A POST that HTTP has nothing against. */
export interface ReceivedText {
  readonly acceptance: Acceptance
  readonly text: string
}

/** Reads what was posted; null when it was refused, and is answered. */
export async function receiveText(
  req: IncomingMessage,
  res: ServerResponse,
  limits: RequestLimits,
): Promise<ReceivedText | null> {
  try {
    if (req.method !== 'POST') throw new HubError('METHOD_NOT_ALLOWED', `${req.method} is not served on ${MCP_PATH}`)
    const acceptance = readAccept(req.headers.accept)
    return { acceptance, text: await readJsonBody(req, res, limits.maxBodyBytes) }
  } catch (thrown) {
    const error = toHubFailure(thrown)
    if (error.code === 'PARSE_ERROR') {
      const { status, message } = encodeFailure(eraOfHeaders(req.headers), null, error, MCP_PATH)
      sendJson(res, status, message)
    } else refuseTransport(res, error)
    return null
  }
}

/** Refuses what HTTP itself stands against: with the status of its code in both eras, and no id. */
export function refuseTransport(res: ServerResponse, error: HubError): void {
  const { status, message } = encodeTransportRefusal(error, MCP_PATH)
  const allow = error.code === 'METHOD_NOT_ALLOWED' ? { Allow: 'POST' } : {}
  sendJson(res, status, message, { ...allow, ...errorHeaders(error) })
}
