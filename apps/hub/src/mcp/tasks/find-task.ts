import type { Principal } from '@synchub/auth'
import type { CallRecord } from '@synchub/core'
import { HubError, NameUnknown } from '@synchub/protocol'
import { findVisibleCall } from '../../calls/visible-objects.js'
import type { HubContext } from '../../hub-context.js'
import { type CallTask, toCallTask } from './call-task.js'

/** A task that a principal may see, with the record that it stands for. */
export interface FoundTask {
  readonly call: CallRecord
  readonly task: CallTask
}

/**
 * Finds a task by its id, which is that of its call. Short calls are no tasks; one whose time is over, or that is somebody
 * else's, looks like one that never was (invariant 8).
 * @throws NameUnknown
 */
export async function findTask(taskId: string, principal: Principal, context: HubContext): Promise<FoundTask> {
  const call = await findCall(taskId, principal, context)
  if (call.mode !== 'queued' || isExpired(call, context)) throw unknownTask(taskId)
  return { call, task: toCallTask(call, await context.store.log.findEnding(call), context.config) }
}

/**
 * As {@link findTask}, for the caller that made it alone: only that may answer what its agent asks.
 * @throws NameUnknown
 */
export async function findOwnTask(taskId: string, principal: Principal, context: HubContext): Promise<FoundTask> {
  const found = await findTask(taskId, principal, context)
  if (found.call.trace.owner !== principal.subject) throw unknownTask(taskId)
  return found
}

async function findCall(taskId: string, principal: Principal, context: HubContext): Promise<CallRecord> {
  try {
    return await findVisibleCall(taskId, principal, context)
  } catch (thrown) {
    throw thrown instanceof HubError && thrown.code === 'NOT_FOUND' ? unknownTask(taskId) : thrown
  }
}

function isExpired({ createdAtMs, taskTtlMs }: CallRecord, { clock }: HubContext): boolean {
  return taskTtlMs !== undefined && clock.now() > createdAtMs + taskTtlMs
}

function unknownTask(taskId: string): NameUnknown {
  return new NameUnknown('task', taskId, new HubError('NOT_FOUND', `there is no task ${JSON.stringify(taskId)}`))
}
