#!/usr/bin/env node
import { createLogger } from '@synchub/telemetry'
import { startDispatcher } from './dispatcher.js'
import { readEnvironment } from './env.js'

try {
  const { logLevel, ...options } = readEnvironment()
  const dispatcher = await startDispatcher({
    ...options,
    logger: createLogger({ name: 'dispatcher', level: logLevel }),
  })
  const stop = () => {
    dispatcher.stop().then(
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
  process.stderr.write(`dispatcher: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exit(1)
}
