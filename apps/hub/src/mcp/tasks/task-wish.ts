import type { Clock, HubConfig } from '@synchub/core'
import {
  declaresTasks,
  HubError,
  isJsonObject,
  type JsonObject,
  type ListedTool,
  missingCapability,
  readMcpHeader,
  TASKS_EXTENSION,
} from '@synchub/protocol'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { HubContext } from '../../hub-context.js'
import type { McpCall } from '../mcp-method.js'
import { type CallTask, toCallTask } from './call-task.js'

/** A client that takes a task for an answer. */
export interface TaskWish {
  /** How long it may read the task, by its wish and our bound; undefined where it names no time. */
  readonly ttlMs: number | undefined
  /** The agent asks the caller before it works, which comes before the task; in the legacy era it is the task that asks. */
  readonly asksFirst: boolean
}

/**
 * Reads whether a call may be answered by a task. In the modern era the client says that it can take one, and a `task` of the
 * other era says nothing; in the legacy era it asks for one with the call, which only long tools allow. No task is promised for
 * longer than ended calls are kept: what one caller wishes must not fill the store.
 * @throws HubError METHOD_NOT_FOUND where the tool and the wish do not fit in the legacy era, INVALID_PARAMS; RevisionError where
 *   the tool is for clients that take tasks
 */
export function readTaskWish(
  { task }: JsonObject,
  { era, clientCapabilities, headers }: McpCall,
  tool: ListedTool | undefined,
  { retention }: HubConfig,
): TaskWish | undefined {
  const isNeeded = tool?._meta.taskOnly === true
  if (era === 'modern') {
    if (declaresTasks(clientCapabilities)) return { ttlMs: undefined, asksFirst: tool?._meta.asksFirst === true }
    if (isNeeded) throw missingCapability(TASKS_EXTENSION, { extensions: { [TASKS_EXTENSION]: {} } })
    return undefined
  }
  // The revision before the utility knows nothing of it.
  const wanted = readMcpHeader(headers, 'mcp-protocol-version') === '2025-06-18' ? undefined : task
  if (wanted === undefined && isNeeded)
    throw new HubError('METHOD_NOT_FOUND', `the tool ${tool.name} is called as a task`)
  if (wanted === undefined) return undefined
  if (tool?._meta.mode === 'direct') throw new HubError('METHOD_NOT_FOUND', `the tool ${tool.name} makes no tasks`)
  const ttlMs = readTtl(wanted)
  return { ttlMs: ttlMs === undefined ? undefined : Math.min(ttlMs, retention.maxAgeMs), asksFirst: false }
}

function readTtl(task: unknown): number | undefined {
  if (!isJsonObject(task)) throw badWish('task', 'an object')
  const { ttl } = task
  if (ttl === undefined) return undefined
  if (typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0) return ttl
  throw badWish('task.ttl', 'a whole number of milliseconds')
}

function badWish(path: string, expected: string): HubError {
  return new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}

/** How long a call is waited for whose agent asks before it works. */
const ASKS_WITHIN_MS = 10_000

/**
 * The task that a call has become; null for a short one, and for one whose agent asks the caller first. In the modern era, where the hub decides, a repeat of a call that is over
 * has its answer at once.
 */
export async function findNewTask(
  { callId, mode, replayed, wait }: SubmittedCall,
  { era }: McpCall,
  asksFirst: boolean,
  { store, clock, config }: HubContext,
): Promise<CallTask | null> {
  if (asksFirst && mode === 'queued' && (await isAsked(wait, clock))) return null
  const record = mode === 'queued' ? await store.log.find(callId) : null
  if (record === null) return null
  const task = toCallTask(record, await store.log.findEnding(record), config)
  return era === 'modern' && replayed && task.ending !== null ? null : task
}

async function isAsked(wait: SubmittedCall['wait'], clock: Clock): Promise<boolean> {
  const patience = new AbortController()
  const callOff = clock.schedule(ASKS_WITHIN_MS, () => patience.abort())
  const ending = await wait(patience.signal)
  callOff()
  return ending?.event === 'input_requested'
}
