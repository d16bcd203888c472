import type { ErrorCode, HubError } from '@synchub/protocol'
import type { CommandContext } from '../commands/command.js'

/** What to do where the hub does not take our requests. */
export const SET_API_KEY = 'Set SYNCHUB_API_KEY to a key of this hub; "synchub keys new" makes one for its operator.'

type CommandLine = CommandContext['commandLine']

/** The advice of the error table is for callers on the wire; here it is for who has this command in hand. */
const ADVICE: Readonly<Partial<Record<ErrorCode, (error: HubError, commandLine: CommandLine) => string | undefined>>> =
  {
    UNAUTHENTICATED: () => SET_API_KEY,
    METHOD_NOT_FOUND: (_error, commandLine) => `List the tools that you may call with: ${commandLine('agents')}`,
    DEADLINE_EXCEEDED({ details: { callId } }, commandLine) {
      if (callId === undefined) return undefined
      return `The call goes on: do not send it again. Ask for its outcome with: ${commandLine('outcome', callId)}`
    },
  }

/**
 * What the user of the command can do after a failure. What was advised for this very failure stays: only the general advice of
 * the table is said in the words of the command. A command stands at the end, where it can be copied.
 */
export function nextStepOf(error: HubError, { commandLine }: Pick<CommandContext, 'commandLine'>): string {
  const general = error.definition.nextStep
  const { nextStep = general } = error.details
  return nextStep === general ? (ADVICE[error.code]?.(error, commandLine) ?? general) : nextStep
}
