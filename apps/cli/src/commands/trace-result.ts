import type { Client } from '@synchub/client'
import { type CallNode, fromErrorObject, type TraceView } from '@synchub/protocol'
import { EXIT_CODES, type ExitName, exitOfError } from '../outcome/exit-code.js'
import { reportFailure } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import { printResult } from './call-outcome.js'
import type { CommandContext } from './command.js'
import { callsOf } from './trace-calls.js'

/**
 * How the calls ended that began a trace, or the one that was watched alone: as the first of them that is no success. A call
 * below them may have failed and its agent gone on without it.
 */
export async function exitOfTrace(client: Client, trace: TraceView, callId: string | undefined): Promise<ExitName> {
  const calls = callId === undefined ? trace.calls : callsOf(trace).filter((call) => call.callId === callId)
  for (const call of calls) {
    const exit = await exitOfCall(client, call)
    if (EXIT_CODES[exit].code !== 0) return exit
  }
  return 'ok'
}

async function exitOfCall(client: Client, { callId, state, isError }: CallNode): Promise<ExitName> {
  if (state === 'completed') return isError === true ? 'failed' : 'ok'
  const { error } = await client.getCall(callId)
  // Followed to no end, such as by a filter of events.
  return error === undefined ? 'goesOn' : exitOfError(fromErrorObject(error).code)
}

/** Prints what the first calls of a trace came to, and the address under which a browser shows the trace. */
export async function printTraceResult(
  context: CommandContext,
  client: Client,
  trace: TraceView,
  { owner, json }: { readonly owner?: string; readonly json?: boolean },
): Promise<void> {
  for (const call of trace.calls) await printCallResult(context, client, call, json === true)
  const query = owner === undefined ? '' : `?owner=${encodeURIComponent(owner)}`
  context.err.line(`Page: ${client.baseUrl}/ui/traces/${encodeURIComponent(trace.traceId)}${query}`)
}

async function printCallResult(
  context: CommandContext,
  client: Client,
  { callId, traceId, state }: CallNode,
  json: boolean,
): Promise<void> {
  if (state === 'completed') {
    printResult(context, await client.wait({ callId, traceId }), json)
    return
  }
  const { error } = await client.getCall(callId)
  if (error === undefined) context.err.line(`call ${cleanLine(callId)} is ${state}`)
  else for (const line of reportFailure(fromErrorObject(error)).lines) context.err.line(line)
}
