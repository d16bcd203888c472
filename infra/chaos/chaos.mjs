// `npm run chaos`: kills the processes of SyncHub at random moments and looks what became of the calls. See docs/RELIABILITY.md.
import { runCommand } from '../launch/command.mjs'
import { readArguments, USAGE } from './arguments.mjs'

await runCommand({
  usage: USAGE,
  read: readArguments,
  async run(wishes) {
    const { runChaos } = await import('./run.mjs')
    return (await runChaos(wishes)) ? 0 : 1
  },
})
