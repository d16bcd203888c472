import { HubError, type JsonObject } from '@synchub/protocol'
import type { CallRecord } from '../call/call-record.js'
import type { RunContext } from './run-ports.js'

/** Where the progress of one attempt goes. */
export interface ProgressLog {
  /** Whether the attempt still holds the call. Progress that cannot be written now is no reason to stop the agent. */
  append(data: JsonObject): Promise<boolean>
}

/**
 * Opens the log for the progress of an attempt. Progress may come without end, so a trace holds a bounded amount of it: what is
 * beyond that is left out, and one last event of the attempt says so. How the call ends is recorded in any case.
 */
export function openProgressLog(call: CallRecord, { config, log, notice }: RunContext): ProgressLog {
  const { attempt } = call
  const maxProgressBytes = config.limits.maxTraceProgressBytes
  let isLeftOut = false

  const leaveOut = async ({ progress, total }: JsonObject) => {
    if (isLeftOut) return
    isLeftOut = true
    const message = `progress is left out from here on where it finds no room: the trace holds the ${maxProgressBytes} bytes of it that limits.maxTraceProgressBytes allows`
    notice(call, message)
    const data = { progress, ...(total === undefined ? {} : { total }), message }
    await log.change({ call, attempt, events: [{ event: 'progress', data }] })
  }

  return {
    async append(data) {
      try {
        const outcome = await log.change({ call, attempt, events: [{ event: 'progress', data }], maxProgressBytes })
        if (outcome.kind === 'not-rising') notice(call, 'progress refused: it does not rise')
        if (outcome.kind === 'full') await leaveOut(data)
        return outcome.kind === 'changed' || outcome.kind === 'not-rising' || outcome.kind === 'full'
      } catch (thrown) {
        notice(call, `progress not recorded: ${HubError.from(thrown).message}`)
        return true
      }
    },
  }
}
