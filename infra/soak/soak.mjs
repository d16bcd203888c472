// `npm run soak`: puts SyncHub under an even load for minutes and looks whether anything of it grows. See docs/RELIABILITY.md.
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
    // Imported only now: it starts what has just been compiled.
    const run = wishes.watchers ? (await import('./watchers/run.mjs')).runWatchers : (await import('./run.mjs')).runSoak
    process.exitCode = (await run(wishes)) ? 0 : 1
  }
} catch (error) {
  const isExpected =
    error instanceof ArgumentError || error instanceof PreparationFailure || error instanceof Interruption
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = error instanceof Interruption ? error.exitCode : 1
}
