// Sums up what jest counted in the last `npm test` and `npm run verify`, as the last line of `.ci/run`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RESULTS_FOLDER, readCounts } from './run/jest-step.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
let passed = 0
let failed = 0
for (const kind of ['test', 'verify']) {
  const counts = readCounts(join(root, RESULTS_FOLDER, `${kind}.json`))
  if (counts === undefined) {
    console.error(`no counts of the ${kind} run: it ended before jest could write them`)
    process.exitCode = 1
  }
  passed += counts?.passed ?? 0
  failed += counts?.failed ?? 0
}
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)
