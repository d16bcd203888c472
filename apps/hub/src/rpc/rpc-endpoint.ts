import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { errorResponse, type Frame, HubError, type JsonRpcResponse, parseBody, resultResponse } from '@synchub/protocol'
import { readAccept } from '../http/accept.js'
import { readJsonBody } from '../http/body.js'
import { disconnectOf } from '../http/disconnect.js'
import { toHubFailure } from '../http/hub-fault.js'
import { errorHeaders, sendEmpty, sendError, sendJson } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { callsCancel } from './calls-cancel.js'
import { callsGet } from './calls-get.js'
import { ping } from './ping.js'
import type { RpcCall, RpcMethod, RpcReply } from './rpc-method.js'
import { toolsCall } from './tools-call.js'
import { toolsList } from './tools-list.js'

const INSTANCE = '/rpc'

/** `POST /rpc`, the native surface: JSON-RPC 2.0 exactly (S0, S2). */
export type RpcEndpoint = (req: IncomingMessage, res: ServerResponse, principal: Principal) => Promise<void>

/** What of a request goes for all of its frames. */
type SharedCall = Omit<RpcCall, 'id' | 'inBatch'>

/** Builds the endpoint. It never throws: every failure is a response. */
export function createRpcEndpoint(context: HubContext): RpcEndpoint {
  const methods = new Map<string, RpcMethod>(
    [toolsList(context), toolsCall(context), callsGet(context), callsCancel(context), ping()].map((method) => [
      method.name,
      method,
    ]),
  )

  const dispatch = async (frame: Extract<Frame, { kind: 'request' }>, call: RpcCall): Promise<RpcReply> => {
    const method = methods.get(frame.method)
    if (method === undefined)
      throw new HubError('METHOD_NOT_FOUND', `there is no method ${JSON.stringify(frame.method)}`)
    try {
      return await method.handle(frame.params, call)
    } catch (thrown) {
      const error = toHubFailure(thrown)
      if (error.code === 'INTERNAL_ERROR' && thrown !== error) {
        context.logger.error({ err: thrown, method: frame.method }, 'request failed')
      }
      throw error.details.instance === undefined ? error.with({ instance: method.instance(frame.params) }) : error
    }
  }

  const answerInBatch = async (frame: Frame, shared: SharedCall): Promise<JsonRpcResponse | null> => {
    if (frame.kind === 'notification') return null
    if (frame.kind === 'invalid') return errorResponse(frame.id, frame.error, INSTANCE)
    try {
      const reply = await dispatch(frame, { id: frame.id, inBatch: true, ...shared })
      if (reply.kind === 'stream') throw new HubError('INTERNAL_ERROR', 'a batch cannot be answered by a stream')
      return resultResponse(frame.id, reply.result)
    } catch (thrown) {
      return errorResponse(frame.id, toHubFailure(thrown), INSTANCE)
    }
  }

  const answerAlone = async (frame: Frame, shared: SharedCall, res: ServerResponse): Promise<void> => {
    // Never answered, known method or not (S2.1).
    if (frame.kind === 'notification') return sendEmpty(res, 202)
    if (frame.kind === 'invalid') return sendRpcError(res, frame.id, frame.error)
    try {
      const reply = await dispatch(frame, { id: frame.id, inBatch: false, ...shared })
      if (reply.kind === 'stream') return await reply.open(res)
      sendJson(res, reply.status ?? 200, resultResponse(frame.id, reply.result), reply.headers)
    } catch (thrown) {
      const error = toHubFailure(thrown)
      // After a stream has begun there is no other answer: it ends, and the call can be found by its id.
      if (res.headersSent) res.end()
      else sendRpcError(res, frame.id, error, headersOfFailure(error))
    }
  }

  return async (req, res, principal) => {
    if (req.method !== 'POST') {
      const error = new HubError('METHOD_NOT_ALLOWED', `${req.method ?? ''} is not served on /rpc`)
      return sendError(res, error, INSTANCE, { Allow: 'POST' })
    }
    try {
      const acceptance = readAccept(req.headers.accept)
      const text = await readJsonBody(req, res, context.config.limits.maxBodyBytes)
      const body = parseBody(text, context.config.limits)
      const shared: SharedCall = {
        principal,
        headers: req.headers,
        acceptance,
        prefersAsync: /(^|[,;\s])respond-async([,;\s]|$)/i.test(String(req.headers.prefer ?? '')),
        idempotencyKey: readHeader(req.headers['idempotency-key']),
        traceparent: readHeader(req.headers.traceparent),
        disconnected: disconnectOf(res),
      }
      if (!body.batch) return await answerAlone(body.frame, shared, res)
      // One header cannot be the key of several calls; in a batch each call names its own.
      const each = { ...shared, idempotencyKey: undefined }
      const answers = await Promise.all(body.frames.map((frame) => answerInBatch(frame, each)))
      const given = answers.filter((answer) => answer !== null)
      return given.length === 0 ? sendEmpty(res, 202) : sendJson(res, 200, given)
    } catch (thrown) {
      const error = toHubFailure(thrown)
      if (error.code === 'INTERNAL_ERROR') context.logger.error({ err: thrown }, 'request failed')
      sendRpcError(res, null, error)
    }
  }
}

function sendRpcError(res: ServerResponse, id: string | number | null, error: HubError, headers = {}): void {
  const body = errorResponse(id, error, INSTANCE)
  sendJson(res, error.definition.status, body, { ...headers, ...errorHeaders(error) })
}

/** A failure of a call that exists says which one in its headers too, as a stream does. */
function headersOfFailure({ details: { callId, traceId, replayed } }: HubError): OutgoingHttpHeaders {
  return {
    ...(callId === undefined ? {} : { 'SyncHub-Call-Id': callId }),
    ...(traceId === undefined ? {} : { 'SyncHub-Trace-Id': traceId }),
    ...(replayed === true ? { 'SyncHub-Replayed': 'true' } : {}),
  }
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}
