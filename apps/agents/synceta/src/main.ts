import { readTransport, runAgent, type Transport } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncEta } from './agent.js'
import { loadConfiguration } from './configuration/load.js'
import { type Env, readEnv } from './env.js'

/** A suite seldom ends in a second or two: a run that is under way is given up soon, so that its processes can end in order. */
const STOP_GRACE_MS = 500
/** Beside the time that a command is given to end: for its removal, and for a machine that is busy. */
const REMOVAL_TIME_MS = 2_000

const args = process.argv.slice(2)
// Over stdio stdout belongs to the protocol.
const logging = { name: 'synceta', ...(args.includes('--stdio') ? { destination: process.stderr } : {}) }

try {
  const transport = readTransport(args)
  await run(readEnv(), transport)
} catch (error) {
  createLogger(logging).fatal(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}

async function run(
  { host, port, dataDir, secret, logLevel, configurationPath, variables }: Env,
  transport: Transport,
): Promise<void> {
  const logger = createLogger({ ...logging, level: logLevel })
  const configuration = await loadConfiguration(configurationPath, variables)
  const agent = await createSyncEta({ configuration, dataDir })
  await runAgent(agent, {
    host,
    port,
    dataDir,
    transport,
    logger,
    stopGraceMs: STOP_GRACE_MS,
    stopAbortMs: configuration.limits.killGraceMs + REMOVAL_TIME_MS,
    ...(secret === undefined ? {} : { secret }),
  })
}
