import type { Client } from '@synchub/client'
import { EXIT_CODES, type ExitName } from '../outcome/exit-code.js'
import { reportFailure } from '../outcome/failure.js'
import { jsonLine } from '../terminal/clean-text.js'
import type { CommandContext } from './command.js'

/** What was done with one call: for machines, for people, and how the command ends by it. */
export interface CallReport {
  readonly answer: object
  readonly line: string
  readonly exit: ExitName
}

/**
 * Does one thing with each of several calls and reports it. One that it fails for must not keep the others from it.
 * @returns the first exit that is no success
 */
export async function forEachCall(
  context: CommandContext,
  callIds: readonly string[],
  json: boolean | undefined,
  act: (client: Client, callId: string) => Promise<CallReport>,
): Promise<ExitName> {
  const { out, err } = context
  const client = context.client()
  const exits: ExitName[] = []
  for (const callId of callIds) {
    try {
      const { answer, line, exit } = await act(client, callId)
      out.line(json === true ? jsonLine(answer) : line)
      exits.push(exit)
    } catch (thrown) {
      const { exit, lines, error } = reportFailure(context, thrown)
      if (json === true) out.line(jsonLine({ callId, error }))
      for (const line of lines) err.line(line)
      exits.push(exit)
    }
  }
  return exits.find((exit) => EXIT_CODES[exit].code !== 0) ?? 'ok'
}
