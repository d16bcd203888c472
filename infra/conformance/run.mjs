import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeRevision } from './report.mjs'
import { runRevision } from './suite/suite.mjs'
import { startUnderTest } from './under-test.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REVISIONS = ['2026-07-28', '2025-11-25']

/**
 * Holds the hub against the suite in both revisions, and prints what it passed.
 *
 * @returns {Promise<boolean>} whether each revision passed what is required
 */
export async function runRevisions() {
  const results = join(root, '.synchub', 'conformance')
  rmSync(results, { recursive: true, force: true })
  const underTest = await startUnderTest((line) => console.error(line))
  let passed = true
  try {
    for (const revision of REVISIONS) {
      const report = describeRevision(revision, await runRevision(revision, underTest.url, join(results, revision)))
      console.log(report.text)
      passed &&= report.passed
    }
    console.log(`What was sent and found is in ${results}.`)
  } finally {
    await underTest.stop()
  }
  return passed
}
