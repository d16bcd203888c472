import process from 'node:process'
import { readEnv } from './env.js'
import { runCli } from './program.js'
import { processInterrupts } from './terminal/interrupts.js'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads us has left (`synchub watch t | head`): that is no failure, and nobody is there to be told.
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

const { stdin, stdout, stderr } = process
process.exitCode = await runCli(process.argv.slice(2), readEnv(), {
  stdin,
  stdout,
  stderr,
  interrupts: processInterrupts,
})
