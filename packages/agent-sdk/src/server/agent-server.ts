import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HubError, refuseExpectation, refuseUnreadable } from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { openAgent } from '../agent/working.js'
import { describeCode } from '../answers/store.js'
import { McpHttpEndpoint, refuseTransport } from '../mcp/http-endpoint.js'
import { readBody } from './body.js'
import { createGuard, isLoopbackHost } from './guard.js'
import { answerRpc, type MethodParts } from './methods.js'
import { SERVE_DEFAULTS, type ServeOptions } from './options.js'
import { replyDocument, replyError } from './reply.js'

/** Where MCP is served. */
const MCP_PATH = '/mcp'

/** Idle connections are kept for longer than a hub keeps them, so that it is the hub that closes them. */
const KEEP_ALIVE_MS = 65_000

/** How long the rest of a body that was refused may take to arrive. */
const REFUSED_BODY_DRAIN_MS = 5_000

/** An agent that is being served. */
export interface AgentServer {
  /** Where it listens, e.g. `http://127.0.0.1:4101`. */
  readonly url: string
  /** Takes no new calls, lets running ones end within their grace time, closes. Asking again waits for the same end. */
  readonly stop: () => Promise<void>
}

/**
 * Serves an agent over HTTP: the native JSON-RPC of a worker agent at `POST /`, MCP at `POST /mcp`, and `GET /healthz`.
 * @throws Error in one sentence, when it cannot listen or cannot write to `dataDir`
 */
export async function serveAgent(agent: Agent, options: ServeOptions): Promise<AgentServer> {
  const settings = { ...SERVE_DEFAULTS, ...options }
  const { host, port, secret } = settings
  if (secret === '')
    throw new Error(`agent ${agent.name}: the secret is empty; set one, or leave it out for loopback only`)
  if (secret === undefined && !isLoopbackHost(host)) {
    throw new Error(
      `agent ${agent.name} would listen on ${host} for everyone: give it a secret, or listen on 127.0.0.1`,
    )
  }
  const working = await openAgent(agent, options)
  const { runs, seal, logger } = working
  const guard = createGuard(secret)
  const { heartbeatIntervalMs, maxAnswerBytes } = settings
  const parts: MethodParts = { agent, runs, seal, logger, heartbeatIntervalMs, maxAnswerBytes }
  const mcp = new McpHttpEndpoint({ agent, runs, seal, logger, maxAnswerBytes }, heartbeatIntervalMs)

  // A request without Host is refused by the guard, which says so in JSON.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, (request, response) => {
    answer(request, response).catch((err: unknown) => {
      logger.error({ err }, 'a request failed unexpectedly')
      if (response.headersSent) response.destroy()
      else replyError(response, null, HubError.from(err), '/')
    })
  })

  server.on('checkExpectation', refuseExpectation)
  server.on('clientError', refuseUnreadable)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0]
    try {
      const refusal = guard(request)
      if (refusal !== undefined) throw refusal
      if (path === '/healthz') return answerHealth(request, response)
      if (path !== '/' && path !== MCP_PATH) {
        throw new HubError('METHOD_NOT_FOUND', `an agent has the paths /, ${MCP_PATH} and /healthz`)
      }
      allow(request, response, 'POST')
      const text = await readBody(request, settings.maxBodyBytes)
      if (text === undefined) return
      if (path === MCP_PATH) await mcp.answer(text, { request, response })
      else await answerRpc(parts, text, { request, response })
    } catch (thrown) {
      if (!(thrown instanceof HubError)) throw thrown
      if (path === MCP_PATH) refuseTransport(response, thrown)
      else replyError(response, null, thrown, '/')
      // node:http throws away what is left of a refused body: cutting at once could lose the answer on its way.
      setTimeout(() => request.complete || request.destroy(), REFUSED_BODY_DRAIN_MS).unref()
    }
  }

  function answerHealth(request: IncomingMessage, response: ServerResponse): void {
    allow(request, response, 'GET')
    const status = runs.isStopping ? 'stopping' : 'ok'
    replyDocument(response, runs.isStopping ? 503 : 200, { status, agent: agent.name, version: agent.version })
  }

  let url: string
  try {
    url = await listen(server, agent.name, host, port)
  } catch (error) {
    await working.stop()
    throw error
  }
  logger.info({ url }, `agent ${agent.name} listens on ${url}`)

  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await working.stop()
    await close(server)
    logger.info({}, `agent ${agent.name} has stopped`)
  }
  return {
    url,
    stop: async () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function allow(request: IncomingMessage, response: ServerResponse, method: string): void {
  if (request.method === method) return
  response.setHeader('Allow', method)
  throw new HubError('METHOD_NOT_ALLOWED', `this path takes ${method}`)
}

async function listen(server: Server, name: string, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const code = describeCode(cause)
      const reason = code === 'EADDRINUSE' ? 'the port is in use; stop what uses it or choose another port' : code
      reject(new Error(`agent ${name} cannot listen on ${host}:${port}: ${reason}`, { cause }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  // Answers that were just written have a moment to leave; whoever still reads after it is cut.
  const cut = setTimeout(() => server.closeAllConnections(), 500)
  await closed
  clearTimeout(cut)
}
