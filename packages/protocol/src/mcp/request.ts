import { isJsonObject, type JsonObject, type RequestId } from '../json-rpc/frame.js'
import { findMisdeclared } from './client-capabilities.js'
import { LOG_LEVELS, type LogLevel, toLogLevel } from './log-level.js'
import { type Era, isModernRevision, META_KEYS, MODERN_REVISIONS } from './revision.js'
import { RevisionError } from './revision-error.js'

/** A request together with the era that it is answered in. */
export interface McpRequest {
  readonly era: Era
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

/** Whether a request says by its own metadata that it is modern: then it is, whatever its method. */
export function claimsModern(params: JsonObject): boolean {
  return isJsonObject(params._meta) && Object.hasOwn(params._meta, META_KEYS.protocolVersion)
}

/**
 * Checks the metadata that every modern request must carry.
 * @returns the revision that the request names, known or not
 * @throws RevisionError when it is missing or has another shape
 */
export function readModernMeta(params: JsonObject): string {
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const revision = meta[META_KEYS.protocolVersion]
  if (typeof revision !== 'string') throw badMeta(META_KEYS.protocolVersion, 'a string')
  const capabilities = meta[META_KEYS.clientCapabilities]
  if (!isJsonObject(capabilities)) throw badMeta(META_KEYS.clientCapabilities, 'an object')
  const misdeclared = findMisdeclared(capabilities)
  if (misdeclared !== undefined) throw badMeta(META_KEYS.clientCapabilities, 'an object', misdeclared)
  const info = meta[META_KEYS.clientInfo]
  if (info !== undefined && !isJsonObject(info)) throw badMeta(META_KEYS.clientInfo, 'an object')
  const level = meta[META_KEYS.logLevel]
  if (level !== undefined && toLogLevel(level) === undefined) {
    throw badMeta(META_KEYS.logLevel, `one of ${LOG_LEVELS.join(', ')}`)
  }
  return revision
}

/** The level from which on a modern request wants to be told what happens; without one nothing is told. */
export function readLogLevel({ _meta: meta }: JsonObject): LogLevel | undefined {
  return toLogLevel(isJsonObject(meta) ? meta[META_KEYS.logLevel] : undefined)
}

/** What the client of a modern request declares that it can do; nothing where it declares nothing. */
export function readClientCapabilities({ _meta: meta }: JsonObject): JsonObject {
  const declared = isJsonObject(meta) ? meta[META_KEYS.clientCapabilities] : undefined
  return isJsonObject(declared) ? declared : {}
}

/** @throws RevisionError when no modern revision of this name is spoken here */
export function checkModernRevision(revision: string): void {
  if (isModernRevision(revision)) return
  throw new RevisionError('UNSUPPORTED_REVISION', `Unsupported protocol version: ${revision}`, {
    supported: MODERN_REVISIONS,
    requested: revision,
  })
}

/**
 * The caller's own name for its progress: 0 and "" are names too. Undefined where it wants none.
 * @throws RevisionError when it is neither
 */
export function readProgressToken({ _meta: meta }: JsonObject): string | number | undefined {
  if (!isJsonObject(meta) || meta.progressToken === undefined) return undefined
  const { progressToken } = meta
  if (typeof progressToken === 'string') return progressToken
  if (typeof progressToken === 'number' && Number.isFinite(progressToken)) return progressToken
  throw badMeta('progressToken', 'a string or a number')
}

function badMeta(key: string, expected: string, member?: string): RevisionError {
  const place = `_meta["${key}"]${member === undefined ? '' : `.${member}`}`
  return new RevisionError('BAD_METADATA', `Invalid params: ${place} must be ${expected}`)
}
