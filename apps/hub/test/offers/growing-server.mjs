// An MCP server over stdio whose tool `grow` adds a prompt and says that its lists have changed.
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const CHANGING = { listChanged: true }
const prompts = [{ name: 'first', description: 'Is there from the start.' }]

const server = new Server(
  { name: 'growing', version: '1.0.0' },
  { capabilities: { tools: {}, prompts: CHANGING, resources: {} } },
)
server.setRequestHandler('tools/list', async () => ({
  tools: [
    { name: 'grow', description: 'Adds a prompt.', inputSchema: { type: 'object' } },
    { name: 'no name', description: 'Cannot be called.', inputSchema: { type: 'object' } },
  ],
}))
server.setRequestHandler('tools/call', async ({ params }) => {
  prompts.push({ name: String(params.arguments?.name), description: 'Came later.' })
  await server.sendPromptListChanged()
  return { content: [{ type: 'text', text: 'grown' }] }
})
server.setRequestHandler('prompts/list', async () => ({ prompts }))
server.setRequestHandler('prompts/get', async ({ params: { name } }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `This is ${name}.` } }],
}))
server.setRequestHandler('resources/list', async () => ({
  resources: [
    { uri: 'note://1', name: 'One' },
    { uri: 'trace://1', name: 'Not ours' },
  ],
}))
server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
  contents: [{ uri, text: `pid ${process.pid}` }],
}))
await server.connect(new StdioServerTransport())
