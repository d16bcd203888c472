import type { Client } from '@synchub/client'
import { isOpenState } from '@synchub/protocol'
import { confirm } from '../input/confirmation.js'
import type { ExitName } from '../outcome/exit-code.js'
import { UsageError } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import type { CommandContext } from './command.js'
import { withThoseBelow } from './trace-cause.js'

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
  const { callIds, traceCount } = await findOpen(context.client(), caller)
  const name = cleanLine(caller)
  if (callIds.length === 0) {
    context.err.line(`${name} has nothing running`)
    return 'ok'
  }
  const question = `Cancel ${counted(callIds.length, 'open call')} in ${counted(traceCount, 'trace')} of ${name}?`
  if (!isConfirmed && !(await confirm(context, question))) {
    throw new UsageError('nothing was cancelled; answer y, or add --yes where nobody is there to answer')
  }
  return cancelAll(callIds)
}

/** The open calls, each before those that were made for it: what they asked for ends with them where agents heed it. */
async function findOpen(client: Client, caller: string) {
  const callIds: string[] = []
  let traceCount = 0
  let cursor: string | undefined
  do {
    const page = await client.traces({ caller, state: 'running', limit: PAGE_SIZE, cursor })
    for (const { traceId, owner } of page.items) {
      const { calls } = await client.trace(traceId, { owner })
      const open = calls.flatMap(withThoseBelow).filter(({ state }) => isOpenState(state))
      callIds.push(...open.map(({ callId }) => callId))
      if (open.length > 0) traceCount++
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { callIds, traceCount }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
