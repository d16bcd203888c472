// A native agent whose tool never ends by itself: all its calls report progress in turn, at the pace that is asked for.
import { createLineLogger, defineAgent, defineTool, serveAgent } from '../../../packages/agent-sdk/dist/index.js'
import { answerQuestions } from '../load/answering.mjs'
import { sendAtPace } from '../load/pace.mjs'
import { stamp } from '../load/stamps.mjs'

const [dataDir = '', calls = '0'] = process.argv.slice(2)
/** @type {import('../../../packages/agent-sdk/dist/index.js').ToolContext[]} */
const running = []
let onRunning = () => {}

const tool = defineTool({
  name: 'bench_progress',
  description: 'Reports progress at a pace',
  inputSchema: { type: 'object' },
  streams: true,
  handler: (_args, ctx) =>
    new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
      running.push(ctx)
      onRunning()
    }),
})
const server = await serveAgent(defineAgent({ name: 'Bench', version: '1.0.0', tools: [tool] }), {
  dataDir,
  logger: createLineLogger({ write: () => undefined }),
  maxRunningCalls: Number(calls),
})

let progress = 0
answerQuestions(async (/** @type {{ perSecond: number, durationMs: number }} */ { perSecond, durationMs }) => {
  await new Promise((resolve) => {
    onRunning = () => {
      if (running.length === Number(calls)) resolve(undefined)
    }
    onRunning()
  })
  /** @param {number} n */
  const send = (n) => running[n % running.length]?.progress({ progress: ++progress, message: stamp() })
  return { sent: await sendAtPace({ perSecond, durationMs, send }) }
})
process.send?.({ ready: server.url })
