import type { Client } from '@synchub/client'
import type { Command } from 'commander'
import { cleanLine } from '../terminal/clean-text.js'
import type { RunCommand } from './command.js'
import { type CallReport, forEachCall } from './each-call.js'
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
  command.action((callIds: string[], { reason, json }: CancelFlags) => {
    return run(command, (context) => forEachCall(context, callIds, json, (client, id) => cancel(client, id, reason)))
  })
}

async function cancel(client: Client, callId: string, reason: string | undefined): Promise<CallReport> {
  const { state, cancelled } = await client.cancel(callId, { reason })
  return {
    answer: { callId, state, cancelled },
    line: `${cleanLine(callId)}  ${cancelled ? 'cancelled' : `had already ended: ${cleanLine(state)}`}`,
    exit: cancelled || state === 'cancelled' ? 'ok' : 'failed',
  }
}
