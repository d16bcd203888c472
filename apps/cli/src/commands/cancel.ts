import type { Client } from '@synchub/client'
import { shownStateOf } from '@synchub/protocol'
import type { Command } from 'commander'
import { UsageError } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import { cancelOfCaller } from './cancel-of-caller.js'
import type { RunCommand } from './command.js'
import { type CallReport, forEachCall } from './each-call.js'
import { examples } from './examples.js'

interface CancelFlags {
  readonly caller?: string
  readonly yes?: boolean
  readonly reason?: string
  readonly json?: boolean
}

/** `synchub cancel`: asks the hub to cancel calls. */
export function declareCancel(program: Command, run: RunCommand): void {
  const command = program
    .command('cancel [callId...]')
    .description(
      'Cancel calls. A call that has already ended stays as it is; the exit code is 1 then, and 0 where it was cancelled.',
    )
    .option('--caller <agent>', 'every open call of the traces that this agent began; asks before, with their number')
    .option('--yes', 'with --caller: do not ask')
    .option('--reason <text>', 'why, for those who watch')
    .option('--json', 'print one JSON object per call')
    .addHelpText(
      'after',
      examples(
        'synchub cancel 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --reason "asked for the wrong year"',
        'synchub cancel --caller SyncVerse',
        'synchub cancel --caller SyncVerse --yes --reason "runs away" --json',
      ),
    )
  command.action((callIds: string[], { caller, yes, reason, json }: CancelFlags) => {
    const act = (client: Client, callId: string) => cancel(client, callId, reason)
    return run(command, (context) => {
      if ((callIds.length === 0) === (caller === undefined))
        throw new UsageError('give either callIds or --caller <agent>')
      if (caller === undefined) return forEachCall(context, callIds, json, act)
      return cancelOfCaller(context, caller, yes === true, (open) => forEachCall(context, open, json, act))
    })
  })
}

async function cancel(client: Client, callId: string, reason: string | undefined): Promise<CallReport> {
  const answer = await client.cancel(callId, { reason })
  const { state, cancelled } = answer
  const shown = shownStateOf(answer)
  return {
    answer,
    line: `${cleanLine(callId)}  ${cancelled ? 'cancelled' : `had already ended: ${cleanLine(shown)}`}`,
    exit: cancelled || state === 'cancelled' ? 'ok' : 'failed',
  }
}
