import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { type ErrorCode, type Frame, HubError, parseMessage, resultResponse } from '@synchub/protocol'
import { readJsonBody } from '../http/body.js'
import { disconnectOf } from '../http/disconnect.js'
import { toHubFailure } from '../http/hub-fault.js'
import { errorHeaders, sendEmpty, sendJson } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { type CallerHeaders, echoCallerHeaders, readCallerHeaders } from './caller-headers.js'
import type { Deployment } from './deployment.js'
import { errorBody } from './error-body.js'
import { initialize } from './initialize.js'
import type { PathMethod } from './path-method.js'
import { namesRevision, refuseRevision } from './protocol-version.js'
import { toolsCall } from './tools-call.js'
import { toolsList } from './tools-list.js'

/** The surface of one public path (S1). Neither method throws: every failure is a response. */
export interface PathEndpoint {
  /** Answers one JSON-RPC message, always in JSON whatever Accept says (S1.1). */
  serve(req: IncomingMessage, res: ServerResponse, principal: Principal): Promise<void>
  /** Refuses a request by its HTTP status, before its message is looked at. */
  refuse(req: IncomingMessage, res: ServerResponse, error: HubError): void
}

/** Faults of a message, which are answered with HTTP 200 (S1.9); others that a body can have refuse it as a whole. */
const MESSAGE_FAULTS: ReadonlySet<ErrorCode> = new Set(['PARSE_ERROR', 'INVALID_REQUEST'])

/** Where failures point to that belong to no method; the public path itself shows in no payload (S1.2). */
const NOWHERE = '/'

/** Builds the endpoint of one deployment. */
export function createPathEndpoint(deployment: Deployment, context: HubContext): PathEndpoint {
  const methods = new Map<string, PathMethod>(
    [initialize(deployment.path), ping(), toolsList(deployment), toolsCall(deployment, context)].map((method) => [
      method.name,
      method,
    ]),
  )

  const answerRequest = async (
    frame: Extract<Frame, { kind: 'request' }>,
    call: { readonly principal: Principal; readonly headers: CallerHeaders },
    res: ServerResponse,
  ): Promise<void> => {
    const { id, params } = frame
    const method = methods.get(frame.method)
    const instance = method?.instance(params) ?? NOWHERE
    try {
      if (call.headers.fault !== undefined) throw call.headers.fault
      if (method === undefined) throw new HubError('METHOD_NOT_FOUND', 'there is no such method on this path')
      const reply = await method.handle(params, { ...call, disconnected: disconnectOf(res) })
      sendJson(res, 200, resultResponse(id, reply.result), reply.headers)
    } catch (thrown) {
      const error = toHubFailure(thrown)
      if (error.code === 'INTERNAL_ERROR' && error !== thrown) {
        context.logger.error({ err: thrown, method: frame.method, guid: call.headers.guid }, 'request failed')
      }
      sendJson(res, 200, errorBody(id, error, instance, call.headers.guid))
    }
  }

  const refuseAs = (res: ServerResponse, error: HubError, { guid }: CallerHeaders, extra = {}): void => {
    const status = MESSAGE_FAULTS.has(error.code) ? 200 : error.definition.status
    sendJson(res, status, errorBody(null, error, NOWHERE, guid), { ...errorHeaders(error), ...extra })
  }

  return {
    async serve(req, res, principal) {
      const headers = readCallerHeaders(req.headers)
      echoCallerHeaders(res, headers)
      if (req.method !== 'POST') {
        const error = new HubError('METHOD_NOT_ALLOWED', `${req.method ?? ''} is not served here`)
        return refuseAs(res, error, headers, { Allow: 'POST' })
      }
      try {
        const { limits } = context.config
        const frame = parseMessage(await readJsonBody(req, res, limits.maxBodyBytes), limits)
        if (frame.kind === 'invalid') {
          return sendJson(res, 200, errorBody(frame.id, frame.error, NOWHERE, headers.guid))
        }
        const opens = frame.kind === 'request' && frame.method === 'initialize'
        if (!opens && !namesRevision(req.headers)) return refuseRevision(res, req.headers, headers.guid)
        // Kept nowhere, and nothing waits for it (S1.5).
        if (frame.kind === 'notification') return sendEmpty(res, 202)
        await answerRequest(frame, { principal, headers }, res)
      } catch (thrown) {
        const error = toHubFailure(thrown)
        if (error !== thrown) context.logger.error({ err: thrown, guid: headers.guid }, 'request failed')
        refuseAs(res, error, headers)
      }
    },
    refuse(req, res, error) {
      const headers = readCallerHeaders(req.headers)
      echoCallerHeaders(res, headers)
      const body = errorBody(null, error, NOWHERE, headers.guid)
      sendJson(res, error.definition.status, body, errorHeaders(error))
    },
  }
}

function ping(): PathMethod {
  return { name: 'ping', instance: () => '/ping', handle: async () => ({ result: {} }) }
}
