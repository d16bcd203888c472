import { readTransport, runAgent } from '@synchub/agent-sdk'
import { createLogger } from '@synchub/telemetry'
import { createSyncVerse } from './agent.js'
import { readEnv } from './env.js'

/** Nothing is lost when a plan is given up: its calls go on at the hub, and the next attempt finds them. */
const STOP_GRACE_MS = 500

const args = process.argv.slice(2)
// Over stdio stdout belongs to the protocol.
const logging = { name: 'syncverse', ...(args.includes('--stdio') ? { destination: process.stderr } : {}) }

try {
  const transport = readTransport(args)
  const { logLevel, hubUrl, ...serving } = readEnv()
  const logger = createLogger({ ...logging, level: logLevel })
  await runAgent(createSyncVerse({ hubUrl }), { ...serving, transport, logger, stopGraceMs: STOP_GRACE_MS })
} catch (error) {
  createLogger(logging).fatal(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}
