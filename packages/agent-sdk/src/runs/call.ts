import { createHash, randomUUID } from 'node:crypto'
import { HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import canonicalize from 'canonicalize'

/** A decoded `tools/call`. */
export interface ToolCall {
  readonly tool: string
  readonly arguments: JsonObject
  /** The hub's callId, or a fresh one where none came. */
  readonly callId: string
  /** False where no callId came: there is nothing by which a repeat could be recognised. */
  readonly isRepeatable: boolean
  readonly traceId: string
  readonly attempt: number
  readonly deadline?: Date
  readonly callerAgent?: string
  /** The run access token of this attempt, where the hub lets the agent make calls of its own. */
  readonly accessToken?: string
  /** Digest of tool and arguments: the same callId with another digest is other work. */
  readonly digest: string
}

/**
 * Decodes the params of `tools/call`.
 * @throws HubError INVALID_PARAMS naming the place
 */
export function parseToolCall(params: JsonObject): ToolCall {
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== 'string') throw invalid('name', 'a string')
  if (!isJsonObject(args)) throw invalid('arguments', 'an object')
  if (!isJsonObject(meta)) throw invalid('_meta', 'an object')
  const callId = readText(meta, 'callId')
  const deadline = readText(meta, 'deadline')
  const callerAgent = readText(meta, 'callerAgent')
  const accessToken = readText(meta, 'accessToken')
  const id = callId ?? randomUUID()
  return {
    tool: name,
    arguments: args,
    callId: id,
    isRepeatable: callId !== undefined,
    traceId: readText(meta, 'traceId') ?? id,
    attempt: readAttempt(meta.attempt),
    ...(deadline === undefined ? {} : { deadline: readInstant(deadline) }),
    ...(callerAgent === undefined ? {} : { callerAgent }),
    ...(accessToken === undefined ? {} : { accessToken }),
    digest: digestOf(name, args),
  }
}

function readText(meta: JsonObject, name: string): string | undefined {
  const value = meta[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > 256) {
    throw invalid(`_meta.${name}`, 'a string of 1 to 256 characters')
  }
  return value
}

function readAttempt(value: unknown): number {
  if (value === undefined) return 1
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw invalid('_meta.attempt', 'a whole number from 1')
  }
  return value
}

function readInstant(text: string): Date {
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) throw invalid('_meta.deadline', 'an instant in ISO 8601')
  return instant
}

function invalid(path: string, expected: string): HubError {
  return new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}

/** In canonical form (RFC 8785): the order in which a caller writes its arguments makes no other work of it. */
function digestOf(tool: string, args: JsonObject): string {
  return createHash('sha256')
    .update(canonicalize([tool, args]) ?? '')
    .digest('hex')
}
