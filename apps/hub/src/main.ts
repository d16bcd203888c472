#!/usr/bin/env node
import { createLogger } from '@synchub/telemetry'
import { readEnvironment } from './env.js'
import { startHub } from './hub.js'

try {
  const { logLevel, ...options } = readEnvironment()
  const hub = await startHub({ ...options, logger: createLogger({ name: 'hub', level: logLevel }) })
  const stop = () => {
    hub.stop().then(
      () => process.exit(0),
      (thrown: unknown) => fail(thrown),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (thrown) {
  fail(thrown)
}

function fail(thrown: unknown): never {
  process.stderr.write(`hub: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exit(1)
}
