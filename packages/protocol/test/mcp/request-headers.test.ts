import { describe, expect, test } from '@jest/globals'
import { META_KEYS, modernHeadersOf, readHttpRequest } from '../../src/index.js'

const meta = { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} }

describe('the headers of a modern request', () => {
  test.each([
    ['tools/list', {}],
    ['tools/call', { name: 'search' }],
    ['tools/call', { name: '검색 도구' }],
    ['tools/call', { name: ' padded ' }],
    ['resources/read', { uri: 'file:///보고서.md' }],
    ['prompts/get', { name: '=?base64?eA==?=' }],
    ['tasks/get', { taskId: '0190' }],
  ])('are those that a server holds it to: %s %j', (method, own) => {
    const params = { ...own, _meta: meta }
    const headers = modernHeadersOf(method, params)
    const arrived = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    expect(readHttpRequest({ kind: 'request', id: 1, method, params }, arrived)).toMatchObject({
      era: 'modern',
      method,
    })
    for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]+$/)
  })

  test('name nothing that is no text', () => {
    expect(modernHeadersOf('tools/call', { name: 7, _meta: meta })).not.toHaveProperty('Mcp-Name')
  })

  test('are not made without metadata', () => {
    expect(() => modernHeadersOf('tools/list', {})).toThrow(/_meta/)
  })
})
