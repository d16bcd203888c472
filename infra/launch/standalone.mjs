import { fileURLToPath } from 'node:url'
import { prepareClone } from './preparation.mjs'
import { Interruption, PreparationFailure } from './preparation-failure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = new URL('../../apps/standalone/dist/main.js', import.meta.url)

/**
 * Prepares this clone and hands over to the compiled program, in this very process: a Ctrl-C then has one receiver.
 *
 * @param {readonly string[]} args what follows `npm start --`
 * @returns {Promise<void>}
 */
export async function launchStandalone(args) {
  try {
    await prepareClone({ root, say: (step, line) => console.log(`[${step}/3] ${line}`) })
  } catch (error) {
    if (!(error instanceof PreparationFailure || error instanceof Interruption)) throw error
    console.error(error.message)
    process.exitCode = error instanceof Interruption ? error.exitCode : 1
    return
  }
  console.log('[3/3] starting')
  const { main } = await import(program.href)
  await main(args)
}
