import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { HubError, isJsonObject } from '@synchub/protocol'
import express, { type NextFunction, type Request, type Response } from 'express'
import { readJsonBody } from '../http/body.js'
import { toHubFailure } from '../http/hub-fault.js'
import { sendError, sendJson } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { QUEUE_BOARD_PATH, serveQueueBoard } from '../queues/queue-board.js'
import { getAgents } from './agents.js'
import { getCall, postCancel } from './calls.js'
import { getDeadLetters, postResolve } from './dead-letters.js'
import type { Operation } from './operation.js'
import { getQueues } from './queues.js'
import { postRerun } from './rerun.js'
import { getTrace, getTraces } from './traces.js'

/** The operations API as an Express app; the guard in front of it has read the principal of each request. */
export function createOperationsApp(
  context: HubContext,
  principalOf: (req: IncomingMessage) => Principal,
): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  const operations: readonly Operation[] = [
    getAgents(context),
    getQueues(context),
    getTraces(context),
    getTrace(context),
    getCall(context),
    postCancel(context),
    postRerun(context),
    getDeadLetters(context),
    postResolve(context),
  ]
  for (const operation of operations) {
    app[operation.method](operation.path, async (req: Request, res: Response) => {
      const reply = await operation.handle({
        principal: principalOf(req),
        url: req.url,
        params: req.params as Readonly<Record<string, string | undefined>>,
        header: (name) => req.get(name),
        readBody: () => readOptionalBody(req, res, context),
      })
      sendJson(res, reply.status ?? 200, reply.body, reply.headers)
    })
    app.all(operation.path, refuseMethod(operation.path, operation.method.toUpperCase()))
  }
  // The streams themselves are served before this app; only other methods come here.
  for (const path of STREAMS) app.all(path, refuseMethod(path, 'GET'))
  app.use(QUEUE_BOARD_PATH, serveQueueBoard(context, principalOf))
  app.use((req: Request) => {
    const nextStep =
      'Correct the path: docs/PROTOCOL.md lists those that there are, and the configuration the public ones.'
    throw new HubError('METHOD_NOT_FOUND', `nothing is served under ${req.path}`, { nextStep })
  })
  app.use((thrown: unknown, req: Request, res: Response, _next: NextFunction) => {
    const error = isBadUrl(thrown)
      ? new HubError('METHOD_NOT_FOUND', 'the path is not encoded well')
      : toHubFailure(thrown)
    if (error.code === 'INTERNAL_ERROR') context.logger.error({ err: thrown, path: req.path }, 'operation failed')
    sendError(res, error, req.path)
  })
  return app
}

const STREAMS = ['/traces/:traceId/events', '/events']

function refuseMethod(path: string, allow: string) {
  return (req: Request, res: Response): void => {
    const reason = `${req.method} is not served on ${path}`
    sendError(res, new HubError('METHOD_NOT_ALLOWED', reason), req.path, { Allow: allow })
  }
}

function isBadUrl(thrown: unknown): boolean {
  return thrown instanceof URIError
}

async function readOptionalBody(
  req: IncomingMessage,
  res: ServerResponse,
  { config }: HubContext,
): Promise<Readonly<Record<string, unknown>>> {
  const empty =
    req.headers['content-length'] === '0' || (!req.headers['content-length'] && !req.headers['transfer-encoding'])
  if (empty) return {}
  const text = await readJsonBody(req, res, config.limits.maxBodyBytes)
  const value = parse(text)
  if (!isJsonObject(value))
    throw new HubError('INVALID_PARAMS', 'the body must be a JSON object', { expected: 'object' })
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HubError('PARSE_ERROR', 'the body is not a JSON text', { cause })
  }
}
