import type { Frame } from '../json-rpc/frame.js'
import { decodeHeaderValue } from './header-value.js'
import { checkModernRevision, claimsModern, type McpRequest, readModernMeta } from './request.js'
import { type Era, isLegacyRevision, isModernRevision, LEGACY_REVISIONS, META_KEYS } from './revision.js'
import { RevisionError } from './revision-error.js'

/** Headers of an HTTP request, their names in lower case. */
export type McpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The parameter that `Mcp-Name` mirrors, by method. */
export const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The era that the headers alone speak for: in it a body is answered that cannot be read. */
export function eraOfHeaders(headers: McpHeaders): Era {
  return isModernRevision(readMcpHeader(headers, 'mcp-protocol-version')) ? 'modern' : 'legacy'
}

/**
 * Tells the era of a request over HTTP and holds it to that era's rules, in the order that the revision gives.
 * @throws RevisionError when headers and body do not agree or name no revision that is spoken here
 */
export function readHttpRequest(frame: Frame & { kind: 'request' }, headers: McpHeaders): McpRequest {
  const { id, method, params } = frame
  if (claimsModern(params)) {
    checkModern(frame, headers)
    return { era: 'modern', id, method, params }
  }
  checkLegacy(method, headers)
  return { era: 'legacy', id, method, params }
}

/** @throws RevisionError for a notification under a revision that is not spoken here */
export function checkNotification(headers: McpHeaders): void {
  const version = readMcpHeader(headers, 'mcp-protocol-version')
  if (version === undefined || isLegacyRevision(version)) return
  checkModernRevision(version)
}

/** The value of a header without the whitespace around it (RFC 9110 section 5.5); undefined where there is none. */
export function readMcpHeader(headers: McpHeaders, name: string): string | undefined {
  const value = headers[name]
  return (typeof value === 'string' ? value : value?.join(', '))?.trim()
}

/**
 * The text that a header stands for.
 * @throws RevisionError when its base64 form is broken
 */
export function readMirror(headers: McpHeaders, name: string): string | undefined {
  const value = readMcpHeader(headers, name.toLowerCase())
  const text = value === undefined ? undefined : decodeHeaderValue(value)
  if (text === null) throw new RevisionError('HEADER_MISMATCH', `Header mismatch: ${name} is not base64 of UTF-8`)
  return text
}

/** A header that must be there and is not. */
export function headerMissing(header: string): RevisionError {
  return new RevisionError('HEADER_MISMATCH', `Header mismatch: ${header} is missing`)
}

function checkLegacy(method: string, headers: McpHeaders): void {
  const version = readMcpHeader(headers, 'mcp-protocol-version')
  if (isModernRevision(version)) {
    if (method === 'initialize') {
      throw new RevisionError('HEADER_MISMATCH', `MCP-Protocol-Version ${version} has no initialize`)
    }
    const message = `Invalid params: _meta["${META_KEYS.protocolVersion}"] is required under ${version}`
    throw new RevisionError('BAD_METADATA', message)
  }
  // An opening names its version in the body, where it is negotiated.
  if (version === undefined || method === 'initialize' || isLegacyRevision(version)) return
  throw new RevisionError('BAD_REQUEST', `Unsupported MCP-Protocol-Version: ${version}`, {
    supported: LEGACY_REVISIONS,
    requested: version,
  })
}

function checkModern({ method, params }: Frame & { kind: 'request' }, headers: McpHeaders): void {
  const revision = readModernMeta(params)
  const version = readMcpHeader(headers, 'mcp-protocol-version')
  if (version !== undefined && version !== revision) throw headerMismatch('MCP-Protocol-Version', version, revision)
  const namedMethod = readMcpHeader(headers, 'mcp-method')
  if (namedMethod !== undefined && namedMethod !== method) throw headerMismatch('Mcp-Method', namedMethod, method)
  checkModernRevision(revision)
  if (version === undefined) throw headerMissing('MCP-Protocol-Version')
  if (namedMethod === undefined) throw headerMissing('Mcp-Method')
  const parameter = NAMED_BY.get(method)
  if (parameter === undefined) return
  const name = readMirror(headers, 'Mcp-Name')
  const named = params[parameter]
  const isText = typeof named === 'string'
  // Where neither names anything, the parameter is what is wrong, and the method says so.
  if (name === undefined && !isText) return
  if (name === undefined) throw headerMissing('Mcp-Name')
  if (name !== named) throw headerMismatch('Mcp-Name', name, isText ? named : 'nothing that is a text')
}

function headerMismatch(header: string, value: string, expected: string): RevisionError {
  return new RevisionError('HEADER_MISMATCH', `Header mismatch: ${header} is ${value}, the body says ${expected}`)
}
