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
 * @property {Listing} listing
 * @property {(args: Record<string, unknown>, ctx: ToolContext) => unknown} run what MCP has as a result, or what is asked first
 */

/** @typedef {Record<string, { content?: Record<string, unknown> } | undefined>} Responses */
/** @typedef {Record<string, unknown> & { name: string, inputSchema: object }} Listing */

/**
 * @typedef {object} ToolContext
 * @property {AbortSignal} signal
 * @property {Record<string, unknown>} capabilities what the caller can be asked
 * @property {Responses} responses what it has answered
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
    tools: /** @type {import('@modelcontextprotocol/server').Tool[]} */ (TOOLS.map(({ listing }) => listing)),
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
    const requestState = mcpReq.requestState()
    const declared = /** @type {Record<string, Record<string, unknown> | undefined>} */ ({ ...mcpReq.envelope })
    const context = {
      signal: mcpReq.signal,
      progress,
      capabilities: declared[CAPABILITIES_KEY] ?? {},
      responses: /** @type {Responses} */ (mcpReq.inputResponses ?? {}),
      requestState: typeof requestState === 'string' ? requestState : undefined,
    }
    const result = await tool.run(params.arguments ?? {}, context)
    return /** @type {import('@modelcontextprotocol/server').CallToolResult} */ (result)
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
