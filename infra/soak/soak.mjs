// `npm run soak`: puts SyncHub under an even load for minutes and looks whether anything of it grows. See docs/RELIABILITY.md.
import { runCommand } from '../launch/command.mjs'
import { readArguments, USAGE } from './arguments.mjs'

await runCommand({
  usage: USAGE,
  read: readArguments,
  async run(wishes) {
    const run = wishes.watchers ? (await import('./watchers/run.mjs')).runWatchers : (await import('./run.mjs')).runSoak
    return (await run(wishes)) ? 0 : 1
  },
})
