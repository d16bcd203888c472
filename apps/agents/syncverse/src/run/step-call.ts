import type { ToolContext } from '@synchub/agent-sdk'
import type { CallIds, Client } from '@synchub/client'
import { type CallResult, type EndedState, HubError, type ProgressData } from '@synchub/protocol'
import { withRenewedAccess } from './renewed-access.js'
import type { CallStep, RunningStep, StepEnd } from './running-step.js'
import { nameOf } from './step-outcome.js'
import { sourceOf, textOf, visibleResult } from './step-result.js'

/** What the calls of a plan are made with. */
export interface StepCallParts {
  readonly client: Client
  /** The call that runs the plan, with its newest access token. */
  readonly ctx: Pick<ToolContext, 'callId' | 'accessToken'>
}

/** Makes the calls of a plan's steps at the hub; the hub takes trace and parent from the run access token. */
export function createCallStep({ client, ctx }: StepCallParts): CallStep {
  return async (running, args, signal) => {
    const { step } = running
    const beganAtMs = performance.now()
    const elapsed = () => Math.round(performance.now() - beganAtMs)
    let stepCallId: string | undefined
    try {
      const options = {
        targetAgent: step.agent,
        idempotencyKey: stepKey(ctx.callId, step.id),
        signal,
        onAccepted: (ids: CallIds) => {
          stepCallId = ids.callId
        },
        onProgress: (progress: ProgressData) => {
          running.progress = progress
        },
      }
      const access = { accessToken: () => ctx.accessToken, signal }
      const result = await withRenewedAccess(() => client.call(step.tool, args, options), access)
      return endOfResult(running, result, elapsed())
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof HubError)) throw thrown
      stepCallId ??= thrown.details.callId
      const state = await endedState(client, thrown, stepCallId, signal)
      const call = stepCallId === undefined ? {} : { callId: stepCallId }
      return { outcome: { ...nameOf(step), state, ...call, durationMs: elapsed(), error: thrown } }
    }
  }
}

/**
 * The idempotency key of a step: the same in every attempt of the plan, so that a later attempt finds the calls of an earlier one and
 * makes none twice.
 */
function stepKey(callId: string, stepId: string): string {
  return `syncverse:${callId}:${stepId}`
}

function endOfResult({ step }: RunningStep, result: CallResult, durationMs: number): StepEnd {
  const { callId, replayed } = result._meta
  const text = textOf(result)
  return {
    outcome: {
      ...nameOf(step),
      state: result.isError ? 'tool_failed' : 'completed',
      callId,
      durationMs,
      ...(replayed === undefined ? {} : { replayed }),
      ...visibleResult(result),
      ...(text === undefined ? {} : { text }),
    },
    source: sourceOf(result),
  }
}

/**
 * How a call ended that gave no result. The error tells what is to be done, and only the record whether the call had begun: a call that
 * was refused and one that failed can have the same title.
 */
async function endedState(
  client: Client,
  error: HubError,
  callId: string | undefined,
  signal: AbortSignal,
): Promise<Exclude<EndedState, 'completed'>> {
  // The hub was away for too long: nobody knows whether it has the call.
  if (error.code === 'OUTCOME_UNKNOWN' || error.code === 'HUB_UNAVAILABLE') return 'unknown'
  if (error.code === 'CANCELLED') return 'cancelled'
  if (callId === undefined) return 'refused'
  try {
    const { state } = await client.getCall(callId, { signal })
    return state === 'refused' || state === 'cancelled' || state === 'unknown' ? state : 'failed'
  } catch (thrown) {
    signal.throwIfAborted()
    if (!(thrown instanceof HubError)) throw thrown
    return 'failed'
  }
}
