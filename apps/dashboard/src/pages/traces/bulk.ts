import type { Client } from '@synchub/client'
import { type CallNode, isOpenState, type TraceSummary } from '@synchub/protocol'
import { type Failure, toFailure } from '../../hub/failure.js'

/** What can be done with many traces at once. */
export type BulkAction = 'cancel' | 'rerun'

/** How far a bulk action is, and what came of it. */
export interface BulkProgress {
  readonly action: BulkAction
  readonly all: number
  readonly done: number
  /** Traces with which it was done. */
  readonly succeeded: number
  /** Traces in which nothing was open any more. */
  readonly endedBefore: number
  readonly failed: number
  /** The first failure. */
  readonly failure: Failure | null
}

/** Requests that are under way at one time: the hub has others to serve, and a browser six connections. */
const AT_ONCE = 3

/** Does the same with each trace, and tells after each how far it is. */
export async function runBulk(
  client: Client,
  action: BulkAction,
  traces: readonly TraceSummary[],
  onProgress: (progress: BulkProgress) => void,
): Promise<BulkProgress> {
  let progress: BulkProgress = {
    action,
    all: traces.length,
    done: 0,
    succeeded: 0,
    endedBefore: 0,
    failed: 0,
    failure: null,
  }
  const add = (change: Partial<BulkProgress>) => {
    progress = { ...progress, ...change, done: progress.done + 1 }
    onProgress(progress)
  }
  const waiting = [...traces]
  const work = async (): Promise<void> => {
    for (let trace = waiting.shift(); trace !== undefined; trace = waiting.shift()) {
      try {
        const count = await (action === 'cancel' ? cancelTrace(client, trace) : rerunTrace(client, trace))
        add(count > 0 ? { succeeded: progress.succeeded + 1 } : { endedBefore: progress.endedBefore + 1 })
      } catch (thrown) {
        add({ failed: progress.failed + 1, failure: progress.failure ?? toFailure(thrown) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return progress
}

/** Cancels every open call of a trace, the first ones first: what they asked for ends with them where agents heed it. */
async function cancelTrace(
  client: Client,
  { traceId, owner }: Pick<TraceSummary, 'traceId' | 'owner'>,
): Promise<number> {
  const { calls } = await client.trace(traceId, { owner })
  let cancelled = 0
  for (const { callId } of flatten(calls).filter(({ state }) => isOpenState(state))) {
    if ((await client.cancel(callId)).cancelled) cancelled++
  }
  return cancelled
}

/** Makes the first calls of a trace once more, together in one new trace. */
async function rerunTrace(client: Client, { traceId, owner }: TraceSummary): Promise<number> {
  const { calls } = await client.trace(traceId, { owner })
  let newTraceId: string | undefined
  for (const { callId } of calls) {
    const started = await client.rerun(callId, { traceId: newTraceId })
    newTraceId = started.traceId
  }
  return calls.length
}

function flatten(calls: readonly CallNode[]): CallNode[] {
  return calls.flatMap((call) => [call, ...flatten(call.children)])
}
