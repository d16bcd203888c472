import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prepareClone } from './preparation.mjs'
import { Interruption, PreparationFailure } from './preparation-failure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A command line that cannot be understood. The message ends with what can be given. */
export class ArgumentError extends Error {
  /** @override */
  name = 'ArgumentError'

  /** @param {string} problem @param {string} usage */
  constructor(problem, usage) {
    super(`${problem}\n\n${usage}`)
  }
}

/**
 * Reads the options of a command.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} T
 * @param {readonly string[]} args
 * @param {T} options
 * @param {string} usage what `--help` prints
 * @throws {ArgumentError} when there is one that it does not have, or one without its value
 */
export function parseOptions(args, options, usage) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error), usage)
  }
}

/**
 * Runs a command that works with what is compiled: brings the clone there first, then does it. What a user can mend is told in one
 * message without a stack.
 *
 * @template {{ readonly help: boolean }} Wishes
 * @param {object} command
 * @param {string} command.usage what `--help` prints
 * @param {(args: readonly string[]) => Wishes} command.read throws ArgumentError
 * @param {(wishes: Wishes) => Promise<number>} command.run imports its own code only now, which imports what has just been compiled
 * @returns {Promise<void>} with `process.exitCode` set
 */
export async function runCommand({ usage, read, run }) {
  try {
    const wishes = read(process.argv.slice(2))
    if (wishes.help) {
      console.log(usage)
      return
    }
    await prepareClone({ root, say: (_step, line) => console.error(line) })
    process.exitCode = await run(wishes)
  } catch (error) {
    const isExpected =
      error instanceof ArgumentError || error instanceof PreparationFailure || error instanceof Interruption
    if (!isExpected) throw error
    console.error(error.message)
    process.exitCode = error instanceof Interruption ? error.exitCode : 1
  }
}
