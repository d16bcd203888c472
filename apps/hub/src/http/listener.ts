import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Principal, readRunAccess } from '@synchub/auth'
import { authenticateRun } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { createPathEndpoint } from '../agent-builder/path-endpoint.js'
import { createDashboardFiles, DASHBOARD_PATH } from '../dashboard/dashboard-files.js'
import type { HubContext } from '../hub-context.js'
import { createMcpEndpoint } from '../mcp/endpoint.js'
import { MCP_PATH, refuseTransport } from '../mcp/received-text.js'
import { readReadiness } from '../operations/health.js'
import { createOperationsApp } from '../operations/operations-app.js'
import { createRpcEndpoint } from '../rpc/rpc-endpoint.js'
import { type Doors, identify } from '../session/identify.js'
import { serveSession } from '../session/session-endpoint.js'
import { serveEvents } from '../streams/events.js'
import { cutWithRun } from '../streams/run-end.js'
import { serveTraceEvents } from '../streams/trace-events.js'
import { readAccept } from './accept.js'
import { shareAcrossOrigins } from './cross-origin.js'
import { checkHost } from './hosts.js'
import { toHubFailure } from './hub-fault.js'
import { sendError, sendJson } from './respond.js'

const TRACE_EVENTS = /^\/traces\/([^/?]+)\/events(?:\?|$)/

/**
 * The hub's one request listener. The hot surfaces are plain handlers of node:http; everything else goes to the Express app
 * behind them. Health comes before the guard: probes know neither our hosts nor our keys.
 * @param dashboardDir - the built pages; none are served where it is absent
 */
export function createListener(context: HubContext, doors: Doors, dashboardDir?: string): RequestListener {
  const principals = new WeakMap<IncomingMessage, Principal>()
  const principalOf = (req: IncomingMessage) => {
    const principal = principals.get(req)
    if (principal === undefined) throw new HubError('UNAUTHENTICATED', 'the request has not passed the guard')
    return principal
  }
  const runPorts = { log: context.store.log, config: context.config }
  const serveRpc = createRpcEndpoint(context)
  const serveMcp = createMcpEndpoint(context)
  const publicPaths = new Map(
    context.deployments.all.map((deployment) => [deployment.path.path, createPathEndpoint(deployment, context)]),
  )
  const serveOperations = createOperationsApp(context, principalOf)
  const serveDashboard = dashboardDir === undefined ? undefined : createDashboardFiles(dashboardDir)

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req)
    if (path === '/healthz') return sendJson(res, 200, { status: 'ok' })
    if (path === '/readyz') {
      const readiness = await readReadiness(context)
      return sendJson(res, readiness.status === 'ready' ? 200 : 503, readiness)
    }
    // Cut, not refused: a browser's EventSource comes back after a lost connection, and gives up for good at a 503.
    if (!context.isServing() && isStream(req, path) && readAccept(req.headers.accept).namesStream) {
      req.socket.destroy()
      return
    }
    checkHost(req, context.config)
    if (shareAcrossOrigins(req, res)) return
    if (serveDashboard !== undefined && isDashboard(path)) return serveDashboard(req, res)
    if (path === '/session') return serveSession(req, res, doors)
    // In every access mode: an agent at work is never more than that, also where everybody else is the local principal.
    const run = readRunAccess(req.headers.authorization)
    const principal = run === undefined ? await identify(req, doors) : await authenticateRun(run, runPorts)
    if (run !== undefined && isStream(req, path)) cutWithRun(res, run, context)
    if (isStream(req, path) || (path === MCP_PATH && req.method === 'GET')) countStream(res, principal, context)
    if (path === '/rpc') return serveRpc(req, res, principal)
    if (path === MCP_PATH) return serveMcp(req, res, principal)
    const publicPath = publicPaths.get(path)
    if (publicPath !== undefined) return publicPath.serve(req, res, principal)
    const traceId = req.method === 'GET' ? TRACE_EVENTS.exec(req.url ?? '')?.[1] : undefined
    if (traceId !== undefined) return serveTraceEvents(req, res, decodePart(traceId), principal, context)
    if (path === '/events' && req.method === 'GET') return serveEvents(req, res, principal, context)
    principals.set(req, principal)
    serveOperations(req, res)
  }

  return (req, res) => {
    serve(req, res).catch((thrown: unknown) => {
      const error = toHubFailure(thrown)
      if (error.code === 'INTERNAL_ERROR') context.logger.error({ err: thrown, path: pathOf(req) }, 'request failed')
      const publicPath = publicPaths.get(pathOf(req))
      if (res.headersSent) res.destroy()
      else if (pathOf(req) === MCP_PATH) refuseTransport(res, error)
      else if (publicPath !== undefined) publicPath.refuse(req, res, error)
      else sendError(res, error, pathOf(req))
    })
  }
}

function isDashboard(path: string): boolean {
  return path === '/' || path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`)
}

function isStream({ method }: IncomingMessage, path: string): boolean {
  return method === 'GET' && path.endsWith('/events')
}

/** Counts an answer as a stream of its reader until it is over, from whichever side. @throws HubError TOO_MANY_REQUESTS */
function countStream(res: ServerResponse, principal: Principal, { streamQuota }: HubContext): void {
  const leave = streamQuota.take(principal)
  // Gone while we asked who it is: its end was told before anybody listened.
  if (res.destroyed) leave()
  else res.once('close', leave)
}

function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/'
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new HubError('METHOD_NOT_FOUND', 'the path is not encoded well', { cause })
  }
}
