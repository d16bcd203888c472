// The test agent of the conformance suite: a plain MCP server that knows nothing of the hub. It says over IPC where it listens.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { CONTENT_TOOLS } from './content-tools.mjs'
import { ELICITATION_TOOLS } from './elicitation-tools.mjs'
import { INPUT_TOOLS } from './input-tools.mjs'
import { OFFER_CAPABILITIES, serveOffers } from './offers.mjs'
import { TASK_TOOLS } from './task-tools.mjs'
import { WORK_TOOLS } from './work-tools.mjs'

/**
 * A tool of the suite.
 *
 * @typedef {object} SuiteTool
 * @property {Record<string, unknown> & { name: string }} listing
 * @property {(args: Record<string, any>, ctx: ToolContext) => unknown} run
 */

/**
 * @typedef {object} ToolContext
 * @property {AbortSignal} signal
 * @property {Record<string, any>} capabilities what the caller can be asked
 * @property {Record<string, any>} responses what it has answered
 * @property {string | undefined} requestState
 * @property {(update: { progress: number, total?: number }) => Promise<void>} progress
 */

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** @type {readonly SuiteTool[]} */
const TOOLS = [...CONTENT_TOOLS, ...WORK_TOOLS, ...INPUT_TOOLS, ...ELICITATION_TOOLS, ...TASK_TOOLS]

function createAgent() {
  const server = new Server(
    { name: 'conformance', version: '1.0.0' },
    { capabilities: { tools: {}, ...OFFER_CAPABILITIES } },
  )
  serveOffers(server)
  server.setRequestHandler('tools/list', async () => ({
    tools: /** @type {any} */ (TOOLS.map(({ listing }) => listing)),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = TOOLS.find(({ listing }) => listing.name === params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    const progressToken = mcpReq._meta?.progressToken
    /** @type {ToolContext['progress']} */
    const progress = async (update) => {
      if (progressToken === undefined) return
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...update } })
    }
    const context = {
      signal: mcpReq.signal,
      progress,
      capabilities: mcpReq.envelope?.[CAPABILITIES_KEY] ?? {},
      responses: mcpReq.inputResponses ?? {},
      requestState: mcpReq.requestState(),
    }
    return /** @type {any} */ (await tool.run(params.arguments ?? {}, context))
  })
  return server
}

const serve =
  /** @type {(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse) => void} */ (
    toNodeHandler(createMcpHandler(createAgent))
  )
const server = createServer(serve)
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = /** @type {import('node:net').AddressInfo} */ (server.address())
process.send?.({ ready: `http://127.0.0.1:${address.port}/mcp` })
