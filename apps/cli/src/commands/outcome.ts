import type { Client } from '@synchub/client'
import { type CallView, fromErrorObject, HubError, isOpenState, shownStateOf } from '@synchub/protocol'
import type { Command } from 'commander'
import { type ExitName, exitOfError } from '../outcome/exit-code.js'
import { UsageError } from '../outcome/failure.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { printResult } from './call-outcome.js'
import { describeIds } from './call-wait.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'

interface OutcomeFlags {
  readonly key?: string
  readonly json?: boolean
}

/** `synchub outcome`: asks how a call ended, for whoever lost its answer (S4.3). */
export function declareOutcome(program: Command, run: RunCommand): void {
  const command = program
    .command('outcome [callId]')
    .description('Ask how a call ended, or how it stands, by its callId or by its idempotency key. Nothing is run.')
    .option('--key <key>', 'the idempotency key that you sent the call with')
    .option('--json', "print the call's record as one JSON object")
    .addHelpText(
      'after',
      `
It ends as "synchub call" would have: by what became of the call. An answer that came too late is shown
beside the outcome, which stays as it was reported.
${examples('synchub outcome --key order-88', 'synchub outcome 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --json')}`,
    )
  command.action((callId: string | undefined, flags: OutcomeFlags) => {
    return run(command, (context) => tellOutcome(context, callId, flags))
  })
}

async function tellOutcome(
  context: CommandContext,
  callId: string | undefined,
  { key, json }: OutcomeFlags,
): Promise<ExitName> {
  const client = context.client()
  const view = await findView(context, client, callId, key)
  if (json === true) {
    context.out.line(jsonLine(view))
    return exitOfView(view)
  }
  context.out.line(`${describeIds(view)}: ${shownStateOf(view)}`)
  for (const line of sinceThen(view)) context.out.line(line)
  if (view.state === 'completed') printResult(context, await client.wait(view), false)
  else if (!isOpenState(view.state)) throw failureOf(view)
  return exitOfView(view)
}

async function findView(
  { commandLine }: CommandContext,
  client: Client,
  callId: string | undefined,
  key: string | undefined,
): Promise<CallView> {
  if ((callId === undefined) === (key === undefined)) {
    throw new UsageError('give either a callId or --key <key>')
  }
  if (callId !== undefined) return client.getCall(callId)
  const found = await client.findCall({ idempotencyKey: String(key) })
  if (found !== null) return found
  throw new HubError('NOT_FOUND', 'no call of yours was made with this idempotency key, or it is forgotten', {
    nextStep: `Check the key: only whoever made a call finds it by its key. List your traces with: ${commandLine('traces')}`,
  })
}

/** What came to be known after the call had been given up. */
function sinceThen({ late, resolution }: CallView): readonly string[] {
  const lines: string[] = []
  if (late !== undefined) {
    const answer = late.error?.message ?? JSON.stringify(late.result ?? late.content)
    const failed = late.isError === true ? ', tool_failed' : ''
    lines.push(`late, at ${cleanLine(late.at)}${failed}: ${cleanLine(answer)}`)
  }
  if (resolution !== undefined) {
    lines.push(`resolved by ${cleanLine(resolution.by)}: ${cleanLine(resolution.reason)}`)
  }
  return lines
}

function exitOfView(view: CallView): ExitName {
  if (isOpenState(view.state)) return 'goesOn'
  if (view.state === 'completed') return view.isError === true ? 'failed' : 'ok'
  return exitOfError(failureOf(view).code)
}

/** The hub's advice is for one of which nobody knows what became: it stands in the record as it was when the call ended. */
function failureOf({ error, callId, traceId, resolution }: CallView): HubError {
  const known = resolution === undefined ? {} : { nextStep: 'Go by what became of the call, as shown above.' }
  return fromErrorObject(error).with({ callId, traceId, ...known })
}
