import type { StartedCall } from '@synchub/client'
import { type CallResult, shownStateOf } from '@synchub/protocol'
import type { ExitName } from '../outcome/exit-code.js'
import { resultText } from '../render/result-text.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { CallWait, describeIds, endOfFailure } from './call-wait.js'
import type { CommandContext } from './command.js'

const REPLAYED = ' (replayed: an earlier request with this key began it)'

/** Tells of a call that the hub has, and how to watch it. */
export function reportStarted(
  { out, err, commandLine }: CommandContext,
  started: StartedCall,
  json: boolean,
): ExitName {
  if (json) {
    out.line(jsonLine(started))
    return 'ok'
  }
  const replay = started.replayed === true ? REPLAYED : ''
  out.line(`${describeIds(started)}${replay}`)
  err.line(`Watch it: ${commandLine('watch', started.traceId)}`)
  return 'ok'
}

/** Shows a call while `work` waits for its outcome, and prints its result. */
export async function reportOutcome(
  context: CommandContext,
  tool: string,
  json: boolean,
  work: (wait: CallWait) => Promise<CallResult>,
): Promise<ExitName> {
  const wait = new CallWait(context, tool, json)
  try {
    const result = await work(wait)
    wait.end({ state: shownStateOf({ state: 'completed', isError: result.isError }), message: '' })
    printResult(context, result, json)
    return result.isError ? 'failed' : 'ok'
  } catch (thrown) {
    wait.end(endOfFailure(thrown))
    throw thrown
  }
}

/** Prints the result of a call. A failure that the tool itself reports is told like all others: what to do next, and of which call. */
export function printResult({ out, err, commandLine }: CommandContext, result: CallResult, json: boolean): void {
  const text = json ? jsonLine({ event: 'complete', data: result }) : resultText(result)
  if (text !== '') out.line(text)
  if (result._meta.replayed === true && !json)
    err.line('synchub: replayed: the answer of an earlier call with this key')
  if (!result.isError || json) return
  const { callId, traceId } = result._meta
  err.line('synchub: the tool ran and reports a failure (isError)')
  err.line(`  next: Mend what the tool names, then run the call again with: ${commandLine('rerun', callId)}`)
  err.line(`  call: ${cleanLine(callId)}`)
  err.line(`  trace: ${cleanLine(traceId)}`)
}
