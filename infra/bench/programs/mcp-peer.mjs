// The peer of the short call: the official SDK's server, stateless over HTTP, whose handler fetches the same tool.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { listeningUrl } from '../../processes/listening-url.mjs'

const toolUrl = process.argv[2]
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' })
  const definition = { description: 'Answers at once', inputSchema: z.object({ text: z.string() }) }
  server.registerTool('bench_echo', definition, async (args) => {
    const answer = await fetch(`${toolUrl}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    return { content: [{ type: 'text', text: await answer.text() }] }
  })
  return server
})
const serve =
  /** @type {(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse) => void} */ (
    toNodeHandler(handler)
  )
const server = createServer(serve)
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ ready: `${listeningUrl(server)}/mcp` })
