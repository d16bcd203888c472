import type { Client } from '@synchub/client'
import { type CallNode, fromErrorObject } from '@synchub/protocol'
import { EXIT_CODES, type ExitName, exitOfError } from '../outcome/exit-code.js'
import { reportFailure } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import { printResult } from './call-outcome.js'
import type { CommandContext } from './command.js'

/**
 * Prints what the first calls of a trace came to, and the address under which a browser shows the trace.
 * @returns how the first of them ended that is no success
 */
export async function printTraceResult(
  context: CommandContext,
  client: Client,
  traceId: string,
  { owner, json }: { readonly owner?: string; readonly json?: boolean },
): Promise<ExitName> {
  const trace = await client.trace(traceId, { owner })
  const exits: ExitName[] = []
  for (const call of trace.calls) exits.push(await printCallResult(context, client, call, json === true))
  const query = owner === undefined ? '' : `?owner=${encodeURIComponent(owner)}`
  context.err.line(`Page: ${client.baseUrl}/ui/traces/${encodeURIComponent(trace.traceId)}${query}`)
  return exits.find((exit) => EXIT_CODES[exit].code !== 0) ?? 'ok'
}

async function printCallResult(
  context: CommandContext,
  client: Client,
  { callId, traceId, state }: CallNode,
  json: boolean,
): Promise<ExitName> {
  if (state === 'completed') {
    const result = await client.wait({ callId, traceId })
    printResult(context, result, json)
    return result.isError ? 'failed' : 'ok'
  }
  const { error } = await client.getCall(callId)
  // Followed to no end, such as by a filter of events.
  if (error === undefined) {
    context.err.line(`call ${cleanLine(callId)} is ${state}`)
    return 'goesOn'
  }
  const failure = fromErrorObject(error)
  for (const line of reportFailure(failure).lines) context.err.line(line)
  return exitOfError(failure.code)
}
