// Plain HTTP tools, which know nothing of calls: they execute whatever they are sent. Arguments: ledger, port, names of its tools.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { listeningUrl } from '../../processes/listening-url.mjs'
import { noteExecution } from './ledger.mjs'
import { WORK_SCHEMA } from './working-tools.mjs'

const [ledger = '', port = '0', ...names] = process.argv.slice(2)
const tools = names.map((name) => ({
  name,
  description: 'Works and answers',
  endpoint: `/${name}`,
  inputSchema: WORK_SCHEMA,
  outputSchema: { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } },
}))

/** @param {import('node:http').IncomingMessage} req */
async function work(req) {
  const { order, steps, stepMs } = /** @type {{ order: number, steps: number, stepMs: number }} */ (await json(req))
  const callId = String(req.headers['synchub-call-id'])
  const attempt = Number(req.headers['synchub-attempt'])
  noteExecution(ledger, { order, tool: String(req.url).slice(1), callId, attempt })
  await delay(steps * stepMs)
  return { order }
}

const server = createServer((req, res) => {
  const answer = req.method === 'GET' ? Promise.resolve({ tools }) : work(req)
  answer.then(
    (body) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    (thrown) => res.destroy(thrown),
  )
})
server.keepAliveTimeout = 60_000
await once(server.listen(Number(port), '127.0.0.1'), 'listening')
process.send?.({ ready: listeningUrl(server) })
