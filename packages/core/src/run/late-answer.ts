import { HubError } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import type { ChangeEvent } from '../call/state-table.js'
import { pause } from '../clock.js'
import { endingOfError } from '../completion/ending.js'
import { StopSwitch } from '../stop-switch.js'
import type { AgentOutcome } from './agent-connection.js'
import { toAgentFailure } from './agent-error.js'
import { maskCarried } from './carried-headers.js'
import { endingOfToolResult } from './result-ending.js'
import type { RunContext, RunSignals } from './run-ports.js'
import { maskSent } from './secret-mask.js'
import { withStorePatience } from './store-patience.js'

/** An attempt whose limit ran out while its agent may still answer. */
export interface OverdueAttempt {
  /** What comes of it after all. */
  readonly outcome: Promise<AgentOutcome>
  /** The last total that the agent reported. */
  readonly total: number | undefined
  /** Nobody wants to know any more. */
  end(): void
}

/**
 * Tells an agent that its time is over, and keeps what it answers within `waitMs` all the same: for whoever looks the call up, never
 * for those who waited. What it is told ends its work where it obeys; then there is nothing to keep.
 */
export function awaitLateAnswer(
  call: CallRecord,
  overdue: OverdueAttempt,
  { reason, waitMs }: { readonly reason: string; readonly waitMs: number },
  ports: RunContext,
  { afterwards }: RunSignals,
): void {
  afterwards(async (stopping) => {
    const answered = new StopSwitch()
    void pause(ports.clock, waitMs, stopping, answered).then(overdue.end)
    try {
      await ports.connectionOf(call.agent)?.notifyCancelled(call.callId, reason)
      const ending = endingOfLate(call, await overdue.outcome, overdue.total, ports)
      if (ending !== undefined) await keepLateEnding(call, ending, { ...ports, stopping })
    } catch (thrown) {
      ports.notice(call, `a late answer was not kept: ${HubError.from(thrown).message}`)
    } finally {
      answered.abort()
    }
  })
}

/** Wants no late answer of an attempt. */
export function dropLateAnswer(call: CallRecord, overdue: OverdueAttempt, { notice }: RunContext): void {
  overdue.end()
  overdue.outcome.catch((thrown: unknown) => notice(call, `an attempt ended badly: ${HubError.from(thrown).message}`))
}

/**
 * Keeps the answer of a call that was given up before: once, as what became of it, and marked late. How the call ended stays.
 */
export async function keepLateEnding(
  call: CallRecord,
  { event, data }: EventDraft<ChangeEvent>,
  ports: RunContext,
): Promise<void> {
  const record = await ports.log.find(call.callId)
  const isGivenUp = record?.state === 'unknown' && record.attempt === call.attempt && record.fence === call.fence
  if (!isGivenUp || (event !== 'complete' && event !== 'failed')) return
  const { progress: _progress, total: _total, ...answer } = maskCarried(maskSent(data, call, ports), ports.carried)
  const reason = event === 'complete' ? 'the agent answered late' : 'the agent answered late that it had failed'
  const found = { by: call.agent, reason, answer }
  await withStorePatience(ports.clock, () => ports.log.resolve(record, found), ports.stopping)
}

/** What a late answer would have made of the call; nothing where it says only that the agent has stopped, or is lost. */
function endingOfLate(
  call: CallRecord,
  outcome: AgentOutcome,
  total: number | undefined,
  ports: RunContext,
): EventDraft<ChangeEvent> | undefined {
  if (outcome.kind === 'result') return endingOfToolResult(call, outcome.result, total, ports)
  if (outcome.kind !== 'error' && outcome.kind !== 'broken') return undefined
  if (outcome.error.code === 'CANCELLED') return undefined
  return endingOfError('failed', toAgentFailure(outcome.error, call), call)
}
