import { describe, expect, test } from '@jest/globals'
import { errorResponse, HubError, resultResponse } from '../../src/index.js'

describe('JSON-RPC responses', () => {
  test('hold a result or an error, never both, and the id as it came', () => {
    expect(resultResponse('', { a: 1 })).toEqual({ jsonrpc: '2.0', id: '', result: { a: 1 } })
    const response = errorResponse(0, new HubError('METHOD_NOT_FOUND', 'no such method'), '/rpc')
    expect(Object.keys(response)).toEqual(['jsonrpc', 'id', 'error'])
    expect(response).toMatchObject({ id: 0, error: { code: -32601, data: { instance: '/rpc' } } })
  })

  test('have the id null where none could be read', () => {
    const response = errorResponse(null, new HubError('PARSE_ERROR', 'no JSON'), '/rpc')
    expect(JSON.parse(JSON.stringify(response))).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
  })
})
