import { defineAgent, runAgent } from '@synchub/agent-sdk'
import { orderTool } from './order-tool.mjs'

const agent = defineAgent({ name: 'Orders', version: '1.0.0', tools: [orderTool('long', true)] })
const [, , dataDir = ''] = process.argv
await runAgent(agent, { dataDir, transport: 'stdio' })
