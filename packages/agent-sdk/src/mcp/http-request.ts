import type { IncomingHttpHeaders } from 'node:http'
import type { Frame } from '@synchub/protocol'
import { checkModernRevision, claimsModern, type McpRequest, readModernMeta } from './request.js'
import { type Era, LEGACY_REVISIONS, META_KEYS, MODERN_REVISIONS } from './revision.js'
import { RevisionError } from './revision-error.js'

/** The parameter that `Mcp-Name` mirrors, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

const BASE64_FORM = /^=\?base64\?(.*)\?=$/i

/** The era that the headers alone speak for: in it a body is answered that cannot be read. */
export function eraOfHeaders(headers: IncomingHttpHeaders): Era {
  return MODERN_REVISIONS.includes(readVersion(headers) ?? '') ? 'modern' : 'legacy'
}

/**
 * Tells the era of a request over HTTP and holds it to that era's rules, in the order that the revision gives.
 * @throws RevisionError when headers and body do not agree or name no revision that is spoken here
 */
export function readHttpRequest(frame: Frame & { kind: 'request' }, headers: IncomingHttpHeaders): McpRequest {
  const { id, method, params } = frame
  if (claimsModern(params)) {
    checkModern(frame, headers)
    return { era: 'modern', id, method, params }
  }
  checkLegacy(method, headers)
  return { era: 'legacy', id, method, params }
}

/** @throws RevisionError for a notification under a revision that is not spoken here */
export function checkNotification(headers: IncomingHttpHeaders): void {
  const version = readVersion(headers)
  if (version === undefined || LEGACY_REVISIONS.includes(version)) return
  checkModernRevision(version)
}

function checkLegacy(method: string, headers: IncomingHttpHeaders): void {
  const version = readVersion(headers)
  if (version !== undefined && MODERN_REVISIONS.includes(version)) {
    if (method === 'initialize') {
      throw new RevisionError('HEADER_MISMATCH', `MCP-Protocol-Version ${version} has no initialize`)
    }
    const message = `Invalid params: _meta["${META_KEYS.protocolVersion}"] is required under ${version}`
    throw new RevisionError('BAD_METADATA', message)
  }
  // An opening names its version in the body, where it is negotiated.
  if (version === undefined || method === 'initialize' || LEGACY_REVISIONS.includes(version)) return
  throw new RevisionError('BAD_REQUEST', `Unsupported MCP-Protocol-Version: ${version}`, {
    supported: LEGACY_REVISIONS,
    requested: version,
  })
}

function checkModern({ method, params }: Frame & { kind: 'request' }, headers: IncomingHttpHeaders): void {
  const revision = readModernMeta(params)
  const version = readVersion(headers)
  if (version !== undefined && version !== revision) throw mismatch('MCP-Protocol-Version', version, revision)
  const namedMethod = readHeader(headers, 'mcp-method')
  if (namedMethod !== undefined && namedMethod !== method) throw mismatch('Mcp-Method', namedMethod, method)
  checkModernRevision(revision)
  if (version === undefined) throw missing('MCP-Protocol-Version')
  if (namedMethod === undefined) throw missing('Mcp-Method')
  const parameter = NAMED_BY[method]
  if (parameter === undefined) return
  const name = readHeader(headers, 'mcp-name')
  if (name === undefined) throw missing('Mcp-Name')
  const decoded = decodeHeader(name)
  if (decoded !== params[parameter]) throw mismatch('Mcp-Name', decoded, String(params[parameter]))
}

/** Values that a header cannot hold come as base64 of UTF-8 (SEP-2243). */
function decodeHeader(value: string): string {
  const [, encoded] = BASE64_FORM.exec(value) ?? []
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) throw new RevisionError('HEADER_MISMATCH', 'Mcp-Name is not valid base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RevisionError('HEADER_MISMATCH', 'Mcp-Name is base64 of bytes that are not UTF-8')
  }
}

function readVersion(headers: IncomingHttpHeaders): string | undefined {
  return readHeader(headers, 'mcp-protocol-version')
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(', ') : value)?.trim()
}

function mismatch(header: string, value: string, expected: string): RevisionError {
  return new RevisionError('HEADER_MISMATCH', `Header mismatch: ${header} is ${value}, the body says ${expected}`)
}

function missing(header: string): RevisionError {
  return new RevisionError('HEADER_MISMATCH', `Header mismatch: ${header} is missing`)
}
