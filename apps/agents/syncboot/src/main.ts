import { runAgent } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncBoot } from './agent.js'
import { readEnv } from './env.js'

try {
  const { logLevel, dataDir, ...listening } = readEnv()
  const agent = await createSyncBoot({ dataDir })
  await runAgent(agent, { ...listening, dataDir, logger: createLogger({ name: 'syncboot', level: logLevel }) })
} catch (error) {
  createLogger({ name: 'syncboot' }).fatal(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}
