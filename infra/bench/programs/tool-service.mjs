// The tool that both sides call: a plain HTTP service. One of its tools answers at once, the other one never.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { listeningUrl } from '../../processes/listening-url.mjs'

const MANIFEST = JSON.stringify({
  tools: [
    {
      name: 'bench_echo',
      description: 'Answers at once',
      endpoint: '/echo',
      inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    },
    { name: 'bench_hang', description: 'Never answers', endpoint: '/hang', inputSchema: { type: 'object' } },
  ],
})
const ANSWER = JSON.stringify({ text: 'echo' })

const server = createServer((req, res) => {
  const body = req.method === 'GET' ? MANIFEST : ANSWER
  req.resume().once('end', () => {
    if (req.url === '/hang') return
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
})
server.keepAliveTimeout = 60_000
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ ready: listeningUrl(server) })
