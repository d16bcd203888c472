import { mintRunAccess } from '@synchub/auth'
import type { CallRecord, NewCall } from '../call/call-record.js'
import type { HubConfig } from '../config/hub-config.js'

/** A call whose attempt was opened here. */
export interface OpenedCall extends CallRecord {
  /** The run access token of this attempt. Only this process and the agent know it: no store, no event, no log line. */
  readonly accessToken?: string
}

/** What the opening of an attempt adds to the record, and what the agent is given. */
export interface RunAccess {
  readonly accessToken: string
  readonly accessDigests: readonly string[]
}

/**
 * Makes the access token of the attempt that is about to be opened; undefined where the agent makes no calls of its own, or the
 * call was recorded while it did not yet.
 */
export function createRunAccess(
  call: Pick<NewCall, 'callId' | 'agent' | 'grant' | 'accessDigests'>,
  attempt: number,
  config: HubConfig,
): RunAccess | undefined {
  if (call.grant === undefined || config.agents.get(call.agent)?.delegates === undefined) return undefined
  const { accessToken, digest } = mintRunAccess(call.callId, attempt)
  // By attempt from 1: those of earlier ones stay, so that their tokens can be told that their run is over.
  const earlier = Array.from({ length: attempt - 1 }, (_, at) => call.accessDigests?.[at] ?? '')
  return { accessToken, accessDigests: [...earlier, digest] }
}
