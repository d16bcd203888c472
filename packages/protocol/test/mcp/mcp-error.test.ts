import { describe, expect, test } from '@jest/globals'
import {
  type Era,
  type ErrorCode,
  encodeMcpError,
  HubError,
  type McpError,
  mcpStatusOf,
  missingCapability,
  NameUnknown,
  ResourceMissing,
  RevisionError,
  toMcpError,
} from '../../src/index.js'

const failure = (code: ErrorCode) => new HubError(code, 'why')
const noTool = new NameUnknown('tool', 'x', failure('METHOD_NOT_FOUND'))

describe('an error', () => {
  test.each<[string, McpError, Era, number, number]>([
    ['bad JSON', failure('PARSE_ERROR'), 'legacy', -32700, 200],
    ['bad JSON', failure('PARSE_ERROR'), 'modern', -32700, 400],
    ['a bad envelope', failure('INVALID_REQUEST'), 'legacy', -32600, 200],
    ['a bad envelope', failure('INVALID_REQUEST'), 'modern', -32600, 400],
    ['an unknown method', failure('METHOD_NOT_FOUND'), 'legacy', -32601, 200],
    ['an unknown method', failure('METHOD_NOT_FOUND'), 'modern', -32601, 404],
    ['an unknown tool', noTool, 'legacy', -32602, 200],
    ['an unknown tool', noTool, 'modern', -32602, 200],
    ['wrong arguments', failure('INVALID_PARAMS'), 'legacy', -32602, 200],
    ['wrong arguments', failure('INVALID_PARAMS'), 'modern', -32602, 200],
    ['a fault', failure('INTERNAL_ERROR'), 'legacy', -32603, 200],
    ['a fault', failure('INTERNAL_ERROR'), 'modern', -32603, 200],
    ['a wanted approval', failure('HITL_APPROVAL_REQUIRED'), 'legacy', -32001, 200],
    ['a wanted approval', failure('HITL_APPROVAL_REQUIRED'), 'modern', -31001, 200],
    ['a spent budget', failure('TOKEN_BUDGET_EXCEEDED'), 'legacy', -32002, 200],
    ['a spent budget', failure('TOKEN_BUDGET_EXCEEDED'), 'modern', -31002, 200],
    ['a compensation', failure('COMPENSATING_TX_TRIGGERED'), 'legacy', -32003, 200],
    ['a compensation', failure('COMPENSATING_TX_TRIGGERED'), 'modern', -31003, 200],
    ['a missing resource', new ResourceMissing('a:b'), 'legacy', -32002, 200],
    ['a missing resource', new ResourceMissing('a:b'), 'modern', -32602, 200],
    ['a missing capability', missingCapability('x', { sampling: {} }), 'modern', -32021, 400],
    ['a wrong progress token', new RevisionError('BAD_METADATA', 'x'), 'legacy', -32602, 200],
    ['wrong metadata', new RevisionError('BAD_METADATA', 'x'), 'modern', -32602, 400],
    ['a version that is not spoken', new RevisionError('BAD_REQUEST', 'x'), 'legacy', -32600, 400],
    ['another revision', new RevisionError('UNSUPPORTED_REVISION', 'x'), 'modern', -32022, 400],
  ])('of %s in the %s era has its code and status', (_case, error, era, code, status) => {
    expect([encodeMcpError(error, era, '/mcp').code, mcpStatusOf(error, era)]).toEqual([code, status])
  })

  test.each<[RevisionError['kind'], ErrorCode]>([
    ['HEADER_MISMATCH', 'INVALID_REQUEST'],
    ['MISSING_CAPABILITY', 'CAPABILITY_MISSING'],
    ['UNSUPPORTED_REVISION', 'INVALID_REQUEST'],
    ['BAD_METADATA', 'INVALID_PARAMS'],
    ['BAD_REQUEST', 'INVALID_REQUEST'],
  ])('about the form of a request (%s) had no title to branch on: it is %s', (kind, title) => {
    const error = encodeMcpError(new RevisionError(kind, 'why', { requested: 'x' }), 'modern', '/mcp')
    expect(error).toMatchObject({ message: 'why', data: { title, detail: 'why', instance: '/mcp', requested: 'x' } })
  })

  test('has the same title in both eras, and the resource that is missing', () => {
    for (const era of ['legacy', 'modern'] as const) {
      expect(encodeMcpError(noTool, era, '/mcp')).toMatchObject({
        message: 'Unknown tool: x',
        data: { title: 'METHOD_NOT_FOUND', instance: '/mcp' },
      })
      const resource = encodeMcpError(new ResourceMissing('a:b'), era, '/mcp')
      expect(resource).toMatchObject({ data: { title: 'NOT_FOUND', uri: 'a:b' } })
      const budget = encodeMcpError(failure('TOKEN_BUDGET_EXCEEDED'), era, '/mcp')
      expect(budget).toMatchObject({ data: { title: 'TOKEN_BUDGET_EXCEEDED' } })
      expect(budget).not.toHaveProperty('data.uri')
    }
  })

  test('names the capabilities that are missing as an object', () => {
    const error = encodeMcpError(missingCapability('sampling', { sampling: {} }), 'modern', '/mcp')
    expect(error).toMatchObject({ data: { requiredCapabilities: { sampling: {} } } })
  })

  test('of a foreign throw says nothing of its cause', () => {
    const error = encodeMcpError(toMcpError(new Error('secret')), 'modern', '/mcp')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})
