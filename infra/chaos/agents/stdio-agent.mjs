// An agent of the SDK as the child process of a dispatcher. Arguments: ledger, data folder, folder of its process ids, names of its tools.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineAgent, runAgent } from '../../../packages/agent-sdk/dist/index.js'
import { workingTool } from './working-tools.mjs'

const [ledger = '', dataDir = '', pidFolder = '', ...names] = process.argv.slice(2)
mkdirSync(pidFolder, { recursive: true })
writeFileSync(join(pidFolder, String(process.pid)), '')
const agent = defineAgent({ name: 'Stdio', version: '1.0.0', tools: names.map((name) => workingTool(name, ledger)) })
await runAgent(agent, { transport: 'stdio', dataDir })
