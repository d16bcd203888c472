import { readTransport, runAgent } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncBoot } from './agent.js'
import { readEnv } from './env.js'

const args = process.argv.slice(2)
// Over stdio stdout belongs to the protocol.
const logging = { name: 'syncboot', ...(args.includes('--stdio') ? { destination: process.stderr } : {}) }

try {
  const transport = readTransport(args)
  const { logLevel, dataDir, ...listening } = readEnv()
  const agent = await createSyncBoot({ dataDir })
  await runAgent(agent, { ...listening, dataDir, transport, logger: createLogger({ ...logging, level: logLevel }) })
} catch (error) {
  createLogger(logging).fatal(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}
