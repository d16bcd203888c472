import type { Client } from '@synchub/client'
import type { Command } from 'commander'
import { EXIT_CODES, type ExitName } from '../outcome/exit-code.js'
import { reportFailure } from '../outcome/failure.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'

interface CancelFlags {
  readonly reason?: string
  readonly json?: boolean
}

/** `synchub cancel`: asks the hub to cancel calls. */
export function declareCancel(program: Command, run: RunCommand): void {
  const command = program
    .command('cancel <callId...>')
    .description('Cancel calls. A call that has ended already stays as it is, and the exit code says so.')
    .option('--reason <text>', 'why, for those who watch')
    .option('--json', 'print one JSON object per call')
    .addHelpText(
      'after',
      examples('synchub cancel 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --reason "asked for the wrong year"'),
    )
  command.action((callIds: string[], flags: CancelFlags) => {
    return run(command, async (context) => {
      const client = context.client()
      const exits: ExitName[] = []
      for (const callId of callIds) exits.push(await cancelOne(context, client, callId, flags))
      return exits.find((exit) => EXIT_CODES[exit].code !== 0) ?? 'ok'
    })
  })
}

/** One call that cannot be cancelled must not keep the others from it. */
async function cancelOne(
  context: CommandContext,
  client: Client,
  callId: string,
  flags: CancelFlags,
): Promise<ExitName> {
  const { out, err } = context
  try {
    const { state, cancelled } = await client.cancel(callId, { reason: flags.reason })
    if (flags.json === true) out.line(jsonLine({ callId, state, cancelled }))
    else out.line(`${cleanLine(callId)}  ${cancelled ? 'cancelled' : `had already ended: ${cleanLine(state)}`}`)
    return cancelled || state === 'cancelled' ? 'ok' : 'failed'
  } catch (thrown) {
    const { exit, lines, error } = reportFailure(thrown)
    if (flags.json === true) out.line(jsonLine({ callId, error }))
    for (const line of lines) err.line(line)
    return exit
  }
}
