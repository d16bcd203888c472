// The tool that both sides call: an HTTP service which costs next to nothing, since it shares the cores with what is measured.
// One of its tools answers at once, the other one never.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { listeningUrl } from '../../processes/listening-url.mjs'
import { splitMessages } from '../load/raw-http.mjs'

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

const server = createServer({ noDelay: true }, (socket) => {
  const read = splitMessages((request) => {
    if (request.startsWith('POST /hang')) return
    socket.write(encodeAnswer(request.startsWith('GET') ? MANIFEST : ANSWER))
  })
  socket.on('data', (chunk) => read(chunk.toString('latin1')))
  // Who hangs up has what it wanted.
  socket.on('error', () => socket.destroy())
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ ready: listeningUrl(server) })

/** @param {string} body */
function encodeAnswer(body) {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
