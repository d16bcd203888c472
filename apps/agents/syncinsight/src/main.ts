import { runAgent } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncInsight } from './agent.js'
import { loadConfiguration } from './configuration/load.js'
import { type Env, readApiKey, readEnv } from './env.js'

try {
  await run(readEnv())
} catch (err) {
  createLogger({ name: 'syncinsight' }).fatal(err instanceof Error ? err.message : String(err))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}

async function run({ host, port, dataDir, secret, logLevel, configurationPath }: Env): Promise<void> {
  const logger = createLogger({ name: 'syncinsight', level: logLevel })
  const configuration = await loadConfiguration(configurationPath)
  const keyName = configuration.summary?.apiKeyEnv
  const key = keyName === undefined ? {} : { summaryApiKey: readApiKey(keyName) }
  const agent = createSyncInsight({ configuration, dataDir, ...key })
  await runAgent(agent, { host, port, dataDir, logger, ...(secret === undefined ? {} : { secret }) })
}
