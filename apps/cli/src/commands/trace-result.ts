import type { Client } from '@synchub/client'
import { type CallNode, fromErrorObject, HubError, type TraceView } from '@synchub/protocol'
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
  for (const call of watchedCalls(trace, callId)) {
    const exit = await exitOfCall(client, call)
    if (EXIT_CODES[exit].code !== 0) return exit
  }
  return 'ok'
}

/** @throws HubError NOT_FOUND where the trace has no such call: no event of it would ever come. */
function watchedCalls(trace: TraceView, callId: string | undefined): readonly CallNode[] {
  if (callId === undefined) return trace.calls
  const found = callsOf(trace).filter((call) => call.callId === callId)
  // Of a trace with very many calls not all are told.
  if (found.length > 0 || trace.truncated) return found
  throw new HubError('NOT_FOUND', `the trace "${trace.traceId}" has no call "${callId}"`)
}

async function exitOfCall(client: Client, { callId, state, isError }: CallNode): Promise<ExitName> {
  if (state === 'completed') return isError === true ? 'failed' : 'ok'
  const { error } = await client.getCall(callId)
  // Followed to no end, such as by a filter of events.
  return error === undefined ? 'goesOn' : exitOfError(fromErrorObject(error).code)
}

/**
 * Prints what the calls came to that began a trace, or the one that was watched alone, and the address under which a browser
 * shows it.
 */
export async function printTraceResult(
  context: CommandContext,
  client: Client,
  trace: TraceView,
  { call, owner, json }: { readonly call?: string; readonly owner?: string; readonly json?: boolean },
): Promise<void> {
  for (const watched of watchedCalls(trace, call)) await printCallResult(context, client, watched, json === true)
  const query = new URLSearchParams()
  if (owner !== undefined) query.set('owner', owner)
  if (call !== undefined) query.set('call', call)
  const page = `${client.baseUrl}/ui/traces/${encodeURIComponent(trace.traceId)}`
  context.err.line(`Page: ${[page, ...(query.size === 0 ? [] : [query])].join('?')}`)
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
  else for (const line of reportFailure(context, fromErrorObject(error)).lines) context.err.line(line)
}
