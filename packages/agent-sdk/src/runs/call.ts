import { createHash, randomUUID } from 'node:crypto'
import { HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import canonicalize from 'canonicalize'
import { FIRST_ROUND, type Round } from '../inputs/round.js'
import { type StateSeal, wrongState } from '../inputs/seal.js'

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
  /** What the caller was asked before, and its answers to that as they came. */
  readonly round: Round
  readonly responses: JsonObject
  /** What the caller has declared that it can be asked. */
  readonly inputCapabilities: JsonObject
}

/** What decoding a call needs. */
export interface CallReading {
  readonly seal: StateSeal
  readonly inputCapabilities: JsonObject
}

/**
 * Decodes the params of `tools/call`. A state of an earlier round names the call, so that answering twice is a repeat.
 * @throws HubError INVALID_PARAMS naming the place
 */
export function parseToolCall(params: JsonObject, { seal, inputCapabilities }: CallReading): ToolCall {
  const { name, arguments: args = {}, _meta: meta = {}, inputResponses: responses = {}, requestState } = params
  if (typeof name !== 'string') throw invalid('name', 'a string')
  if (!isJsonObject(args)) throw invalid('arguments', 'an object')
  if (!isJsonObject(meta)) throw invalid('_meta', 'an object')
  if (!isJsonObject(responses)) throw invalid('inputResponses', 'an object')
  if (requestState !== undefined && typeof requestState !== 'string') throw invalid('requestState', 'a string')
  const digest = digestOf(name, args)
  const earlier = requestState === undefined ? undefined : seal.unseal(requestState, Date.now())
  const callId = readText(meta, 'callId') ?? earlier?.callId
  if (earlier !== undefined && (earlier.digest !== digest || earlier.callId !== callId)) {
    throw wrongState('the requestState belongs to another call, tool or arguments')
  }
  const deadline = readText(meta, 'deadline')
  const callerAgent = readText(meta, 'callerAgent')
  const accessToken = readText(meta, 'accessToken')
  const id = callId ?? randomUUID()
  return {
    tool: name,
    arguments: args,
    callId: id,
    isRepeatable: callId !== undefined,
    traceId: readText(meta, 'traceId') ?? earlier?.traceId ?? id,
    attempt: readAttempt(meta.attempt),
    ...(deadline === undefined ? {} : { deadline: readInstant(deadline) }),
    ...(callerAgent === undefined ? {} : { callerAgent }),
    ...(accessToken === undefined ? {} : { accessToken }),
    digest,
    round: earlier?.round ?? FIRST_ROUND,
    responses,
    inputCapabilities,
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
