// `npm run conformance`: holds the hub against the official conformance suite of MCP. See docs/CONFORMANCE.md.
import { parseOptions, runCommand } from '../launch/command.mjs'

const USAGE = `npm run conformance -- [options]

  --help   prints this`

await runCommand({
  usage: USAGE,
  read: (args) => parseOptions(args, { help: { type: 'boolean', default: false } }, USAGE),
  async run() {
    const { runRevisions } = await import('./run.mjs')
    return (await runRevisions()) ? 0 : 1
  },
})
