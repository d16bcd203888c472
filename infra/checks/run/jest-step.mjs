import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where jest leaves the counts of a run, below the root. `.ci/run` sums them up. */
export const RESULTS_FOLDER = join('.synchub', 'checks')

const OPEN_HANDLES_REPORTER = '<rootDir>/infra/checks/jest/open-handles-reporter.mjs'

/**
 * Jest over the tests of a kind: `test` are those of every run, `verify` the long ones.
 *
 * @param {string} root
 * @param {'test' | 'verify'} kind
 * @param {readonly string[]} args more arguments of jest, e.g. a path
 * @returns {import('./check-step.mjs').CheckStep}
 */
export function jestStep(root, kind, args) {
  const resultsFile = join(root, RESULTS_FOLDER, `${kind}.json`)
  const jest = [
    // Jest runs native modules only by way of this flag, which warns that it is experimental.
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--config=infra/checks/jest.config.mjs',
    '--json',
    `--outputFile=${resultsFile}`,
    ...args,
    // At the end: jest takes any word behind its reporters for one more.
    ...(kind === 'verify' ? ['--runInBand', '--reporters=default', `--reporters=${OPEN_HANDLES_REPORTER}`] : []),
  ]
  return {
    name: kind === 'test' ? 'unit and integration tests' : 'long tests',
    args: jest,
    env: { SYNCHUB_TEST_KIND: kind },
    isLive: true,
    prepare: () => {
      mkdirSync(dirname(resultsFile), { recursive: true })
      // The counts of an earlier run must not pass for those of one that ended before it could count.
      rmSync(resultsFile, { force: true })
    },
    summarise: () => describeCounts(readCounts(resultsFile)),
  }
}

/**
 * @typedef {object} TestCounts
 * @property {number} passed
 * @property {number} failed tests that failed, and test files that could not be loaded
 */

/**
 * Jest's own counts; undefined when it ended before it could write them.
 *
 * @param {string} resultsFile
 * @returns {TestCounts | undefined}
 */
export function readCounts(resultsFile) {
  if (!existsSync(resultsFile)) return undefined
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'))
  return { passed: results.numPassedTests, failed: results.numFailedTests + results.numRuntimeErrorTestSuites }
}

/** @param {TestCounts | undefined} counts */
function describeCounts(counts) {
  return counts === undefined ? 'no result' : `${counts.passed} passed, ${counts.failed} failed`
}
