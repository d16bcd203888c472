// `npm test`: everything that has to hold before a change is shared, in under eight minutes on two cores.
import { fileURLToPath } from 'node:url'
import { runChecks } from './run/check-run.mjs'
import { jestStep } from './run/jest-step.mjs'
import { staticSteps } from './run/static-steps.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const [first, ...others] = staticSteps(root)

await runChecks({
  root,
  promisedMs: 8 * 60_000,
  cutOffMs: 30 * 60_000,
  // With arguments (`npm test -- packages/core`) only the tests that they name are wanted.
  lanes: args.length > 0 || first === undefined ? [] : [[first], others],
  tests: jestStep(root, 'test', args),
})
