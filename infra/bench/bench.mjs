// `npm run bench`: measures SyncHub against its peers, each pair in one run. See docs/BENCHMARKS.md.
import { fileURLToPath } from 'node:url'
import { prepareClone } from '../launch/preparation.mjs'
import { Interruption, PreparationFailure } from '../launch/preparation-failure.mjs'
import { ArgumentError, readArguments, USAGE } from './arguments.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

try {
  const wishes = readArguments(process.argv.slice(2))
  if (wishes.help) console.log(USAGE)
  else {
    await prepareClone({ root, say: (_step, line) => console.error(line) })
    // Imported only now: the rows start what has just been compiled.
    const { runRows } = await import('./rows/run.mjs')
    process.exitCode = await runRows(wishes)
  }
} catch (error) {
  const isExpected =
    error instanceof ArgumentError || error instanceof PreparationFailure || error instanceof Interruption
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = error instanceof Interruption ? error.exitCode : 1
}
