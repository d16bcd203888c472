import { declaresTasks, HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { OfferedTools } from '../../calls/offered-tools.js'
import type { HubContext } from '../../hub-context.js'
import type { McpCall } from '../mcp-method.js'
import { type CallTask, toCallTask } from './call-task.js'

/** A client that takes a task for an answer. */
export interface TaskWish {
  /** How long it wants to read the task; undefined where it names no time. */
  readonly ttlMs: number | undefined
}

/**
 * Reads whether a call may be answered by a task. In the modern era the client says that it can take one, and a `task` of the
 * other era says nothing; in the legacy era it asks for one with the call, which only long tools allow.
 * @throws HubError METHOD_NOT_FOUND where a task is wanted of a short tool, INVALID_PARAMS
 */
export function readTaskWish(
  { task }: JsonObject,
  { era, clientCapabilities, principal }: McpCall,
  toolName: string,
  offered: OfferedTools,
): TaskWish | undefined {
  if (era === 'modern') return declaresTasks(clientCapabilities) ? { ttlMs: undefined } : undefined
  if (task === undefined) return undefined
  const tool = offered.listFor(principal).find(({ name }) => name === toolName)
  if (tool?._meta.mode === 'direct') throw new HubError('METHOD_NOT_FOUND', `the tool ${toolName} makes no tasks`)
  const ttl = isJsonObject(task) ? task.ttl : 0
  if (ttl === undefined) return { ttlMs: undefined }
  if (typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0) return { ttlMs: ttl }
  const place = { path: 'task.ttl', expected: 'a whole number of milliseconds' }
  throw new HubError('INVALID_PARAMS', `${place.path} must be ${place.expected}`, place)
}

/**
 * The task that a call has become; null for a short one. In the modern era, where the hub decides, a repeat of a call that is over
 * has its answer at once.
 */
export async function findNewTask(
  { callId, mode, replayed }: SubmittedCall,
  { era }: McpCall,
  { store }: HubContext,
): Promise<CallTask | null> {
  const record = mode === 'queued' ? await store.log.find(callId) : null
  if (record === null) return null
  const task = toCallTask(record, await store.log.findEnding(record))
  return era === 'modern' && replayed && task.ending !== null ? null : task
}
