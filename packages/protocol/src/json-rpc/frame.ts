import { HubError } from '../errors/hub-error.js'
import { findShapeProblem, type ShapeProblem } from './json-shape.js'

/** A request id: JSON-RPC's string or number, never null (MCP). It is sent back as it came, 0 and "" included. */
export type RequestId = string | number

/** A JSON object. */
export type JsonObject = { readonly [name: string]: unknown }

/** One element of a body: a request, a notification, or something that is neither. */
export type Frame =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | {
      readonly kind: 'invalid'
      readonly id: RequestId | null
      readonly error: HubError
      /** The response that it is: whoever has asked something may take it, everybody else refuses it. */
      readonly response?: JsonObject
    }

/** What a body holds: one frame, or a batch of them (JSON-RPC 2.0 section 6). */
export type Body =
  | { readonly batch: false; readonly frame: Frame }
  | { readonly batch: true; readonly frames: readonly Frame[] }

/** Bounds of {@link parseBody}. */
export interface BodyLimits {
  /** Deepest nesting of objects and arrays. */
  readonly maxDepth: number
  /** Most frames in a batch. */
  readonly maxBatchSize: number
}

/**
 * Decodes a JSON-RPC body. A text that is no JSON throws PARSE_ERROR; every other fault is an `invalid` frame that carries
 * the id where one could be read, so that it can be answered in its place (JSON-RPC 2.0 sections 5 and 6).
 */
export function parseBody(text: string, limits: BodyLimits): Body {
  const value = parseJson(text)
  const misshapen = findMisshape(text, value, limits)
  if (misshapen !== undefined) return { batch: false, frame: misshapen }
  if (!Array.isArray(value)) return { batch: false, frame: parseFrame(value) }
  if (value.length === 0) return { batch: false, frame: invalid(null, 'a batch must hold at least one request') }
  if (value.length > limits.maxBatchSize) {
    const reason = `a batch may hold at most ${limits.maxBatchSize} requests, this one holds ${value.length}`
    return { batch: false, frame: invalid(null, reason, { limit: limits.maxBatchSize }) }
  }
  return { batch: true, frames: value.map(parseFrame) }
}

/**
 * Decodes the one message of a body, for surfaces of MCP, which has no batches. Its faults are those of {@link parseBody}; an
 * array of any length is one, so that nobody is told to send a shorter one.
 */
export function parseMessage(text: string, limits: Pick<BodyLimits, 'maxDepth'>): Frame {
  const value = parseJson(text)
  const misshapen = findMisshape(text, value, limits)
  if (misshapen !== undefined) return misshapen
  return Array.isArray(value) ? invalid(null, 'a batch is not taken here: send one message') : parseFrame(value)
}

function findMisshape(text: string, value: unknown, limits: Pick<BodyLimits, 'maxDepth'>): Frame | undefined {
  const shape = findShapeProblem(text, limits.maxDepth)
  if (shape === undefined) return undefined
  const limit = shape.kind === 'depth' ? { limit: limits.maxDepth } : {}
  return invalid(Array.isArray(value) ? null : readId(value), describeShape(shape, limits), limit)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HubError('PARSE_ERROR', 'the body is not a JSON text', { cause })
  }
}

function describeShape(shape: ShapeProblem, { maxDepth }: Pick<BodyLimits, 'maxDepth'>): string {
  switch (shape.kind) {
    case 'depth':
      return `the body is nested deeper than ${maxDepth} levels`
    case 'duplicate-key':
      return `the name ${JSON.stringify(shape.key)} stands twice in one object`
    case 'inexact-number':
      return `the number ${shape.text.slice(0, 40)} cannot be held exactly; send it as a string`
  }
}

/** Decodes one element of a body that is already parsed JSON. */
export function parseFrame(value: unknown): Frame {
  if (!isJsonObject(value)) return invalid(null, 'a request must be a JSON object')
  const id = readId(value)
  const hasId = Object.hasOwn(value, 'id')
  if (hasId && id === null) return invalid(null, describeBadId(value.id))
  if (value.jsonrpc !== '2.0') return invalid(id, 'the member "jsonrpc" must be "2.0"')
  const method = value.method
  if (typeof method !== 'string') {
    const frame = invalid(id, 'the member "method" must be a string')
    return method === undefined && isResponse(value) ? { ...frame, response: value } : frame
  }
  const params = value.params ?? {}
  if (typeof params !== 'object' || value.params === null) return invalid(id, 'the member "params" must be an object')
  if (!isJsonObject(params)) {
    // Params by position are JSON-RPC, but no method of ours takes them; a notification is not answered for that (section 4.1).
    if (id === null) return { kind: 'notification', method, params: {} }
    const error = new HubError('INVALID_PARAMS', 'params must be an object', { path: 'params', expected: 'object' })
    return { kind: 'invalid', id, error }
  }
  return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params }
}

function isResponse(value: JsonObject): boolean {
  return Object.hasOwn(value, 'result') !== Object.hasOwn(value, 'error')
}

function invalid(id: RequestId | null, reason: string, details: { limit?: number } = {}): Frame & { kind: 'invalid' } {
  return { kind: 'invalid', id, error: new HubError('INVALID_REQUEST', reason, details) }
}

function readId(value: unknown): RequestId | null {
  const id = isJsonObject(value) ? value.id : undefined
  if (typeof id === 'string') return id
  return typeof id === 'number' && isExact(id) ? id : null
}

/** A larger integer was already rounded by JSON.parse: sending it back would answer somebody else's request. */
function isExact(id: number): boolean {
  return Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id))
}

function describeBadId(id: unknown): string {
  return typeof id === 'number'
    ? 'the member "id" is a number that cannot be held exactly; send it as a string'
    : 'the member "id" must be a string or a number'
}

/** Whether `value` is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
