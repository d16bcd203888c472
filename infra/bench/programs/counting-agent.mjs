// A native agent whose tool reports as many steps of progress as it is asked for, as fast as they are taken.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listeningUrl } from '../../processes/listening-url.mjs'

const TOOL = {
  name: 'bench_count',
  description: 'Reports steps of progress',
  inputSchema: { type: 'object', required: ['steps'], properties: { steps: { type: 'integer' } } },
}

/** @param {import('node:http').ServerResponse} res @param {number} steps */
async function count(res, steps) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (let progress = 1; progress <= steps; progress++) {
    const data = JSON.stringify({ progress, total: steps, message: `step ${progress}` })
    if (!res.write(`event: progress\ndata: ${data}\n\n`)) await once(res, 'drain')
  }
  res.end(`event: complete\ndata: ${JSON.stringify({ content: [{ type: 'text', text: 'echo' }] })}\n\n`)
}

/** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
async function answer(req, res) {
  const { id = null, method, params } = JSON.parse(await text(req))
  if (method === 'tools/call') return count(res, params.arguments.steps)
  const known = method === 'tools/list'
  const reply = known ? { result: { tools: [TOOL] } } : { error: { code: -32601, message: 'no such method' } }
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
}

const server = createServer((req, res) => {
  answer(req, res).catch((thrown) => res.destroy(thrown))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ ready: listeningUrl(server) })
