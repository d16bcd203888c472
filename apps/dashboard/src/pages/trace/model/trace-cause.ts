import { isBadEnding } from '@synchub/protocol'
import type { Failure } from '../../../hub/failure.js'
import type { ModelCall } from './trace-model.js'

/** A call that ended badly, and why; without a failure its tool ran and answered that it failed, in its result. */
export interface TraceCause {
  readonly call: ModelCall
  readonly failure: Failure | undefined
}

/** Where a trace went wrong: the call that ended badly first, since what ended badly after it mostly did so for it. */
export function causeOf(calls: Iterable<ModelCall>): TraceCause | undefined {
  let first: TraceCause | undefined
  for (const call of calls) {
    const { failure, endedMs = 0 } = call
    if (!call.isError && (failure === undefined || !isBadEnding(call.state))) continue
    if (first === undefined || endedMs < (first.call.endedMs ?? 0)) first = { call, failure }
  }
  return first
}
