#!/usr/bin/env node
import { HubError } from '@synchub/protocol'
import { checkServer } from '@synchub/redis'
import { createLogger, onStopSignal } from '@synchub/telemetry'
import { readEnvironment } from './env.js'
import { startHub } from './hub.js'

try {
  const { logLevel, ...options } = readEnvironment()
  const logger = createLogger({ name: 'hub', level: logLevel })
  const { warnings } = await checkServer(options.redisUrl)
  for (const warning of warnings) logger.warn(warning)
  const hub = await startHub({ ...options, logger })
  onStopSignal(() => {
    hub.stop().then(
      () => process.exit(0),
      (thrown: unknown) => fail(thrown),
    )
  })
} catch (thrown) {
  fail(thrown)
}

function fail(thrown: unknown): never {
  process.stderr.write(`hub: ${describe(thrown)}\n`)
  process.exit(1)
}

function describe(thrown: unknown): string {
  if (thrown instanceof HubError) return `${thrown.reason}. ${thrown.details.nextStep ?? thrown.definition.nextStep}`
  return thrown instanceof Error ? thrown.message : String(thrown)
}
