import { readTransport, runAgent, type Transport } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncInsight } from './agent.js'
import { loadConfiguration } from './configuration/load.js'
import { type Env, readApiKey, readEnv } from './env.js'

const args = process.argv.slice(2)
// Over stdio stdout belongs to the protocol.
const logging = { name: 'syncinsight', ...(args.includes('--stdio') ? { destination: process.stderr } : {}) }

try {
  await run(readTransport(args), readEnv())
} catch (err) {
  createLogger(logging).fatal(err instanceof Error ? err.message : String(err))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}

async function run(
  transport: Transport,
  { host, port, dataDir, secret, logLevel, configurationPath }: Env,
): Promise<void> {
  const logger = createLogger({ ...logging, level: logLevel })
  const configuration = await loadConfiguration(configurationPath)
  const keyName = configuration.summary?.apiKeyEnv
  const key = keyName === undefined ? {} : { summaryApiKey: readApiKey(keyName) }
  const agent = createSyncInsight({ configuration, dataDir, ...key })
  await runAgent(agent, { transport, host, port, dataDir, logger, ...(secret === undefined ? {} : { secret }) })
}
