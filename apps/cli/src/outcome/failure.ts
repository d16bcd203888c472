import { HubError, toErrorObject } from '@synchub/protocol'
import type { CommandContext } from '../commands/command.js'
import { cleanLine } from '../terminal/clean-text.js'
import { type ExitName, exitOfError } from './exit-code.js'
import { nextStepOf } from './next-step.js'

/** A command line that cannot be obeyed, found after it was parsed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ctrl-C; the message says what goes on without us. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** How a failure is told: the exit, the lines for people, the error object for `--json` as the hub told it. */
export interface FailureReport {
  readonly exit: ExitName
  readonly lines: readonly string[]
  readonly error?: unknown
}

/** Turns whatever a command threw into what the user is told. Text of others is cleaned here. */
export function reportFailure(context: Pick<CommandContext, 'commandLine'>, thrown: unknown): FailureReport {
  if (thrown instanceof UsageError) return { exit: 'usage', lines: [`synchub: ${thrown.message}`] }
  if (thrown instanceof Interrupted) return { exit: 'interrupted', lines: [thrown.message] }
  if (thrown instanceof HubError) return reportHubError(context, thrown)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { exit: 'failed', lines: [`synchub: unexpected failure: ${cleanLine(message)}`] }
}

function reportHubError(context: Pick<CommandContext, 'commandLine'>, error: HubError): FailureReport {
  const { details, definition } = error
  const lines = [`synchub: ${cleanLine(error.message)} (${error.code}, ${definition.layer} layer)`]
  if (details.path !== undefined) {
    lines.push(
      `  place: ${cleanLine(details.path)}${details.expected === undefined ? '' : `, expected ${cleanLine(details.expected)}`}`,
    )
  }
  if (details.approvalTicketId !== undefined) lines.push(`  approval ticket: ${cleanLine(details.approvalTicketId)}`)
  lines.push(`  next: ${cleanLine(nextStepOf(error, context))}`)
  if (details.replayed === true) lines.push('  replayed: the outcome of an earlier call with this key')
  if (details.callId !== undefined) lines.push(`  call: ${cleanLine(details.callId)}`)
  if (details.traceId !== undefined) lines.push(`  trace: ${cleanLine(details.traceId)}`)
  return { exit: exitOfError(error.code), lines, error: toErrorObject(error, details.instance ?? '/') }
}
