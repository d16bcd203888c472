import type { Command } from 'commander'
import { cleanLine } from '../terminal/clean-text.js'
import type { RunCommand } from './command.js'
import { examples } from './examples.js'

/** `synchub mcp`: an MCP server on stdin and stdout, for hosts that start their servers themselves; local, a bridge to the hub. */
export function declareMcp(program: Command, run: RunCommand): void {
  const command = program
    .command('mcp')
    .description(
      'Serve the hub as an MCP server on stdin and stdout, for MCP hosts on this machine; ends with its input.',
    )
    .addHelpText(
      'after',
      examples('synchub mcp', 'SYNCHUB_URL=https://hub.example SYNCHUB_API_KEY=shk_... synchub mcp'),
    )
  command.action(() => {
    return run(command, async ({ connection, stdin, out, err }) => {
      const [{ Bridge }, { LineOutput }] = await Promise.all([
        import('../bridge/bridge.js'),
        import('../bridge/line-output.js'),
      ])
      const hub = connection()
      err.line(`synchub mcp: bridges stdin and stdout to ${hub.baseUrl}/mcp`)
      const log = (text: string) => err.line(`synchub mcp: ${cleanLine(text)}`)
      await new Bridge({ connection: hub, input: stdin, output: new LineOutput(out.stream), log }).run()
      return 'ok'
    })
  })
}
