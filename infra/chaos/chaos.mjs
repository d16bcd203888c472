// `npm run chaos`: kills the processes of SyncHub at random moments and looks what became of the calls. See docs/RELIABILITY.md.
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
    const { runChaos } = await import('./run.mjs')
    process.exitCode = (await runChaos(wishes)) ? 0 : 1
  }
} catch (error) {
  const isExpected =
    error instanceof ArgumentError || error instanceof PreparationFailure || error instanceof Interruption
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = error instanceof Interruption ? error.exitCode : 1
}
