import type { Client } from '@synchub/client'
import type { Command } from 'commander'
import { EXIT_CODES, type ExitName } from '../outcome/exit-code.js'
import { reportFailure } from '../outcome/failure.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'

interface ResolveFlags {
  readonly reason: string
  readonly json?: boolean
}

/** `synchub resolve`: says what became of dead letters. */
export function declareResolve(program: Command, run: RunCommand): void {
  const command = program
    .command('resolve <callId...>')
    .description('Say what became of calls that wait for a person. How they ended stays as it was reported.')
    .requiredOption('--reason <text>', "what you found out at the agent's side")
    .option('--json', 'print one JSON object per call')
    .addHelpText(
      'after',
      examples('synchub resolve 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --reason "the schema was created, see ticket 88"'),
    )
  command.action((callIds: string[], flags: ResolveFlags) => {
    return run(command, async (context) => {
      const client = context.client()
      const exits: ExitName[] = []
      for (const callId of callIds) exits.push(await resolveOne(context, client, callId, flags))
      return exits.find((exit) => EXIT_CODES[exit].code !== 0) ?? 'ok'
    })
  })
}

/** One call that cannot be resolved must not keep the others from it. */
async function resolveOne(
  { out, err }: CommandContext,
  client: Client,
  callId: string,
  { reason, json }: ResolveFlags,
): Promise<ExitName> {
  try {
    const answer = await client.resolve(callId, { reason })
    const { resolved, resolution } = answer
    if (json === true) out.line(jsonLine(answer))
    else if (resolved) out.line(`${cleanLine(callId)}  resolved`)
    else
      out.line(
        `${cleanLine(callId)}  had been resolved by ${cleanLine(resolution.by)}: ${cleanLine(resolution.reason)}`,
      )
    return 'ok'
  } catch (thrown) {
    const { exit, lines, error } = reportFailure(thrown)
    if (json === true) out.line(jsonLine({ callId, error }))
    for (const line of lines) err.line(line)
    return exit
  }
}
