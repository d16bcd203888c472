// Finds a server as `npm start` does on a machine that has none on PATH, in a process of its own, so that a test can give
// it another environment. Prints what it found, or the remedy when it found none, as one line of JSON.
import { findServerProgram } from '../../dist/redis/server-search.js'

const [programDir = '', mayInstall = ''] = process.argv.slice(2)
const lines = []
/** @param {string} line */
const onProgress = (line) => lines.push(line)

try {
  const program = await findServerProgram({
    commands: [],
    programDir,
    mayInstall: mayInstall === 'install',
    onProgress,
  })
  process.stdout.write(`${JSON.stringify({ ...program, lines })}\n`)
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ remedy: error instanceof Error && 'remedy' in error && error.remedy, lines })}\n`,
  )
}
