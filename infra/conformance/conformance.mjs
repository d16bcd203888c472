// `npm run conformance`: holds the hub against the official conformance suite of MCP. See docs/CONFORMANCE.md.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareClone } from '../launch/preparation.mjs'
import { Interruption, PreparationFailure } from '../launch/preparation-failure.mjs'
import { describeRevision } from './report.mjs'
import { runRevision } from './suite/suite.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const REVISIONS = ['2026-07-28', '2025-11-25']

try {
  const say = (/** @type {string} */ line) => console.error(line)
  await prepareClone({ root, say: (_step, line) => say(line) })
  // Imported only now: it starts what has just been compiled.
  const { startUnderTest } = await import('./under-test.mjs')
  const results = join(root, '.synchub', 'conformance')
  rmSync(results, { recursive: true, force: true })
  const underTest = await startUnderTest(say)
  try {
    for (const revision of REVISIONS) {
      const report = describeRevision(revision, await runRevision(revision, underTest.url, join(results, revision)))
      console.log(report.text)
      if (!report.passed) process.exitCode = 1
    }
    console.log(`What was sent and found is in ${results}.`)
  } finally {
    await underTest.stop()
  }
} catch (error) {
  if (!(error instanceof PreparationFailure) && !(error instanceof Interruption)) throw error
  console.error(error.message)
  process.exitCode = error instanceof Interruption ? error.exitCode : 1
}
