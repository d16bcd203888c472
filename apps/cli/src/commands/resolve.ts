import type { Client } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import type { Command } from 'commander'
import { cleanLine } from '../terminal/clean-text.js'
import type { CommandContext, RunCommand } from './command.js'
import { type CallReport, forEachCall } from './each-call.js'
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
  command.action((callIds: string[], { reason, json }: ResolveFlags) => {
    return run(command, (context) =>
      forEachCall(context, callIds, json, (client, callId) => resolve(context, client, callId, reason)),
    )
  })
}

async function resolve(context: CommandContext, client: Client, callId: string, reason: string): Promise<CallReport> {
  const answer = await client.resolve(callId, { reason }).catch((thrown: unknown) => {
    throw adviseOn(thrown, context)
  })
  const { by, reason: known } = answer.resolution
  const what = answer.resolved ? 'resolved' : `had been resolved by ${cleanLine(by)}: ${cleanLine(known)}`
  return { answer, line: `${cleanLine(callId)}  ${what}`, exit: 'ok' }
}

/** Of a call that is none to resolve the hub names the path that lists those that are: here a command does. */
function adviseOn(thrown: unknown, { commandLine }: CommandContext): unknown {
  if (!(thrown instanceof HubError) || thrown.code !== 'INVALID_PARAMS' || thrown.details.path !== 'callId')
    return thrown
  return thrown.with({ nextStep: `List the calls that can be resolved with: ${commandLine('dead-letters')}` })
}
