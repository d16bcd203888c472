import type { Client } from '@synchub/client'
import { isOpenState, type TraceSummary } from '@synchub/protocol'
import { confirm } from '../input/confirmation.js'
import type { ExitName } from '../outcome/exit-code.js'
import { UsageError } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import type { CommandContext } from './command.js'
import { callsOf } from './trace-calls.js'

/** Most traces that are asked for at a time. */
const PAGE_SIZE = 200

/**
 * Finds what one caller has running, asks whether all of it is to end, and has it ended.
 * @param cancelAll - cancels these calls
 * @throws UsageError where nobody confirmed it: nothing was cancelled
 */
export async function cancelOfCaller(
  context: CommandContext,
  caller: string,
  isConfirmed: boolean,
  cancelAll: (callIds: readonly string[]) => Promise<ExitName>,
): Promise<ExitName> {
  const client = context.client()
  const { callIds, openCount, traces } = await findOpen(client, caller)
  const name = cleanLine(caller)
  if (openCount === 0) {
    context.err.line(`${name} has nothing running`)
    return 'ok'
  }
  const question = `Cancel ${counted(openCount, 'open call')} in ${counted(traces.length, 'trace')} of ${name}?`
  if (!isConfirmed && !(await confirm(context, question))) {
    throw new UsageError('nothing was cancelled; answer y, or add --yes where nobody is there to answer')
  }
  const exit = await cancelAll(callIds)
  if (openCount === callIds.length) return exit
  // A cancel reaches what was made for a call, also where a snapshot had no room for it.
  const leftOver = await findStillOpen(client, traces)
  if (leftOver.length === 0) return exit
  context.err.line(
    `still open are calls that had no room in the snapshots of ${leftOver.map(cleanLine).join(', ')}: cancel them by their callIds`,
  )
  return 'goesOn'
}

type NamedTrace = Pick<TraceSummary, 'traceId' | 'owner'>

/** The open calls, each before those that were made for it: what they asked for ends with them where agents heed it. */
async function findOpen(client: Client, caller: string) {
  const callIds: string[] = []
  const traces: NamedTrace[] = []
  let openCount = 0
  let cursor: string | undefined
  do {
    const page = await client.traces({ caller, states: ['running'], limit: PAGE_SIZE, cursor })
    for (const { traceId, owner } of page.items) {
      const trace = await client.trace(traceId, { owner })
      const open = callsOf(trace).filter(({ state }) => isOpenState(state))
      callIds.push(...open.map(({ callId }) => callId))
      openCount += trace.openCalls
      if (trace.openCalls > 0) traces.push({ traceId, owner })
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { callIds, openCount, traces }
}

async function findStillOpen(client: Client, traces: readonly NamedTrace[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const { traceId, owner } of traces) {
    const { truncated, openCalls } = await client.trace(traceId, { owner })
    if (truncated && openCalls > 0) found.push(traceId)
  }
  return found
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
