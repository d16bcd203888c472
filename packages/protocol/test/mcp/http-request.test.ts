import { describe, expect, test } from '@jest/globals'
import {
  checkNotification,
  checkParamHeaders,
  eraOfHeaders,
  type Frame,
  type JsonObject,
  type McpHeaders,
  META_KEYS,
  RevisionError,
  readHttpRequest,
} from '../../src/index.js'

const MODERN = '2026-07-28'
const meta = { [META_KEYS.protocolVersion]: MODERN, [META_KEYS.clientCapabilities]: {} }
const headers = (more: McpHeaders = {}) => ({ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', ...more })

const frame = (method: string, params: JsonObject): Frame & { kind: 'request' } => ({
  kind: 'request',
  id: 1,
  method,
  params,
})

function codeOf(method: string, params: JsonObject, sent: McpHeaders): number | string {
  try {
    return readHttpRequest(frame(method, params), sent).era
  } catch (thrown) {
    if (thrown instanceof RevisionError) return thrown.code
    throw thrown
  }
}

describe('readHttpRequest', () => {
  const call = { name: 'echo', _meta: meta }
  test.each<[string, string, JsonObject, McpHeaders, number | string]>([
    ['a modern request', 'tools/call', call, headers({ 'mcp-name': 'echo' }), 'modern'],
    ['whitespace around a header', 'tools/call', call, headers({ 'mcp-name': ' echo\t' }), 'modern'],
    ['a name in base64', 'tools/call', call, headers({ 'mcp-name': '=?base64?ZWNobw==?=' }), 'modern'],
    ['a name in base64 without padding', 'tools/call', call, headers({ 'mcp-name': '=?base64?ZWNobw?=' }), -32020],
    ['a name in base64 of no UTF-8', 'tools/call', call, headers({ 'mcp-name': '=?base64?/w==?=' }), -32020],
    ['another name', 'tools/call', call, headers({ 'mcp-name': 'other' }), -32020],
    ['no name', 'tools/call', call, headers(), -32020],
    ['the name of a task', 'tasks/get', { taskId: 't', _meta: meta }, headers({ 'mcp-method': 'tasks/get' }), -32020],
    ['another method', 'tools/list', { _meta: meta }, headers(), -32020],
    ['no method', 'tools/list', { _meta: meta }, { 'mcp-protocol-version': MODERN }, -32020],
    ['a method in other letters', 'tools/list', { _meta: meta }, headers({ 'mcp-method': 'Tools/List' }), -32020],
    ['another version', 'tools/list', { _meta: meta }, { 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['no version', 'tools/list', { _meta: meta }, { 'mcp-method': 'tools/list' }, -32020],
    ['no capabilities', 'tools/call', { _meta: { [META_KEYS.protocolVersion]: MODERN } }, headers(), -32602],
    ['a version that is no text', 'ping', { _meta: { ...meta, [META_KEYS.protocolVersion]: 7 } }, {}, -32602],
    ['an unknown version', 'ping', { _meta: { ...meta, [META_KEYS.protocolVersion]: '2099-01-01' } }, {}, -32022],
    ['a modern header alone', 'tools/list', {}, headers(), -32602],
    ['a modern header over an opening', 'initialize', {}, headers(), -32020],
    ['no claim at all', 'tools/list', {}, {}, 'legacy'],
    ['a legacy version', 'tools/list', {}, { 'mcp-protocol-version': '2025-06-18' }, 'legacy'],
    ['an unknown version in the header alone', 'tools/list', {}, { 'mcp-protocol-version': '2025-03-26' }, -32600],
    ['any version over an opening', 'initialize', {}, { 'mcp-protocol-version': '2025-03-26' }, 'legacy'],
  ])('judges %s', (_case, method, params, sent, expected) => {
    expect(codeOf(method, params, sent)).toBe(expected)
  })
})

describe('what has no request to judge', () => {
  test('is of the era that the header names', () => {
    expect(eraOfHeaders(headers())).toBe('modern')
    expect(eraOfHeaders({ 'mcp-protocol-version': '2099-01-01' })).toBe('legacy')
    expect(eraOfHeaders({})).toBe('legacy')
  })

  test('is refused as a notification of an unknown revision only', () => {
    expect(() => checkNotification(headers())).not.toThrow()
    expect(() => checkNotification({})).not.toThrow()
    expect(() => checkNotification({ 'mcp-protocol-version': '2099-01-01' })).toThrow(RevisionError)
  })
})

describe('checkParamHeaders', () => {
  const params = [
    { path: ['city'], header: 'Mcp-Param-City' },
    { path: ['size'], header: 'Mcp-Param-Size' },
  ]
  test.each<[string, JsonObject, McpHeaders, boolean]>([
    ['the same', { city: '서울' }, { 'mcp-param-city': '=?base64?7ISc7Jq4?=' }, true],
    ['neither', {}, {}, true],
    ['null without a header', { city: null }, {}, true],
    ['an argument without its header', { city: 'Seoul' }, {}, false],
    ['a header without its argument', {}, { 'mcp-param-city': 'Seoul' }, false],
    ['a number in another form', { size: 42 }, { 'mcp-param-size': '42.0' }, true],
    ['another number', { size: 42 }, { 'mcp-param-size': '42.5' }, false],
    ['a number that is no decimal', { size: 42 }, { 'mcp-param-size': '0x2a' }, false],
    ['a text that only looks like a number', { city: '42' }, { 'mcp-param-city': '42.0' }, false],
    ['another value', { city: 'Seoul' }, { 'mcp-param-city': 'Busan' }, false],
  ])('judges %s', (_case, args, sent, isRight) => {
    expect(passes(() => checkParamHeaders(params, args, sent))).toBe(isRight)
  })

  test('says no argument back', () => {
    expect(() => checkParamHeaders(params, { city: 'secret' }, { 'mcp-param-city': 'other' })).toThrow(
      /^Header mismatch: Mcp-Param-City does not say what the body says$/,
    )
  })
})

/** Whether a check lets something pass; it refuses with an error of the revision. */
function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch (thrown) {
    if (thrown instanceof RevisionError) return false
    throw thrown
  }
}
