import { describe, expect, test } from '@jest/globals'
import type { Tool } from '@synchub/protocol'
import { createContractBook, SchemaError, toolRevision } from '../../src/index.js'

const TOOL: Tool = {
  name: 'search',
  inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
  outputSchema: { type: 'object', required: ['hits'] },
}

describe('toolRevision', () => {
  test('is the same however the names of a schema are ordered', () => {
    const { type, required, properties } = TOOL.inputSchema
    expect(toolRevision({ ...TOOL, inputSchema: { properties, required, type } })).toBe(toolRevision(TOOL))
  })

  test('is the same when only words for people change', () => {
    const worded = { ...TOOL, title: 'Search', description: 'Finds', annotations: { readOnlyHint: true } }
    expect(toolRevision(worded)).toBe(toolRevision(TOOL))
  })

  test('differs with the name, with either schema and with the order of lists', () => {
    const { outputSchema: _none, ...withoutOutput } = TOOL
    const others: Tool[] = [
      { ...TOOL, name: 'find' },
      { ...TOOL, inputSchema: { ...TOOL.inputSchema, required: [] } },
      { ...TOOL, outputSchema: { type: 'object', required: ['hits', 'total'] } },
      { ...TOOL, outputSchema: { type: 'object', required: ['total', 'hits'] } },
      withoutOutput,
    ]
    expect(new Set([TOOL, ...others].map(toolRevision)).size).toBe(6)
  })
})

describe('createContractBook', () => {
  const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object', required: [name] } })

  test('checks arguments and results by the schemas of the tool', () => {
    const contract = createContractBook().contractOf(TOOL, 'r1')
    expect(contract.revision).toBe('r1')
    expect(contract.checkArguments({})?.reason).toBe("'query' is required")
    expect(contract.checkResult?.({})?.reason).toBe("'hits' is required")
  })

  test('has no check of results for a tool that promises none', () => {
    expect(createContractBook().contractOf(tool('a'), 'r')).not.toHaveProperty('checkResult')
  })

  test('compiles each revision once', () => {
    const book = createContractBook()
    expect(book.contractOf(TOOL, 'r1')).toBe(book.contractOf(TOOL, 'r1'))
    expect(book.contractOf(TOOL, 'r1')).not.toBe(book.contractOf(TOOL, 'r2'))
  })

  test('keeps as many as its bound, those that were used last', () => {
    const book = createContractBook(2)
    const [a, b] = [book.contractOf(tool('a'), 'a'), book.contractOf(tool('b'), 'b')]
    expect(book.contractOf(tool('a'), 'a')).toBe(a)
    book.contractOf(tool('c'), 'c')
    expect(book.contractOf(tool('a'), 'a')).toBe(a)
    expect(book.contractOf(tool('b'), 'b')).not.toBe(b)
  })

  test('refuses a tool whose schema of arguments or results cannot be used, and keeps nothing of it', () => {
    const book = createContractBook()
    expect(() => book.contractOf({ name: 'x', inputSchema: { type: 'nope' } }, 'r')).toThrow(SchemaError)
    expect(() => book.contractOf({ ...TOOL, outputSchema: { $ref: 'http://x.test' } }, 'r')).toThrow(SchemaError)
    expect(book.contractOf(TOOL, 'r').checkArguments({ query: 'x' })).toBeUndefined()
  })
})
