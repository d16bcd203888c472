import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import type { Era } from './revision.js'

/** Name of the Tasks extension of the modern era. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** How a task stands; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A task, in no era's form. */
export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  /** For people: what goes on, or why it ended so. */
  readonly statusMessage?: string
  /** Instants, ISO 8601. */
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** How long it can be read after it was made, in milliseconds. */
  readonly ttlMs: number
  readonly pollIntervalMs: number
}

/** Whether a client of the modern era takes a task for an answer. */
export function declaresTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION])
}

/** A task with the names that its era gives the members. */
export function encodeTask(era: Era, task: Task): JsonObject {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  return {
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ...(era === 'modern' ? { ttlMs, pollIntervalMs } : { ttl: ttlMs, pollInterval: pollIntervalMs }),
  }
}
