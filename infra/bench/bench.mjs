// `npm run bench`: measures SyncHub against its peers, each pair in one run. See docs/BENCHMARKS.md.
import { runCommand } from '../launch/command.mjs'
import { readArguments, USAGE } from './arguments.mjs'

await runCommand({
  usage: USAGE,
  read: readArguments,
  async run(wishes) {
    const { runRows } = await import('./rows/run.mjs')
    return runRows(wishes)
  },
})
