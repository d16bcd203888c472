// `npm run verify`: the tests that take long, `*.verify.ts`, in under 45 minutes.
import { fileURLToPath } from 'node:url'
import { runChecks } from './run/check-run.mjs'
import { jestStep } from './run/jest-step.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

await runChecks({
  root,
  promisedMs: 45 * 60_000,
  cutOffMs: 90 * 60_000,
  lanes: [],
  tests: jestStep(root, 'verify', process.argv.slice(2)),
})
