// An agent of the SDK behind HTTP. Arguments: ledger, data folder, port, names of its tools.
import { createLineLogger, defineAgent, serveAgent } from '../../../packages/agent-sdk/dist/index.js'
import { workingTool } from './working-tools.mjs'

const [ledger = '', dataDir = '', port = '0', ...names] = process.argv.slice(2)
const agent = defineAgent({ name: 'Native', version: '1.0.0', tools: names.map((name) => workingTool(name, ledger)) })
const logger = createLineLogger({ write: () => undefined })
const server = await serveAgent(agent, { dataDir, port: Number(port), logger })
process.send?.({ ready: server.url })
