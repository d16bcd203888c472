import { describe, expect, test } from '@jest/globals'
import { resolveReferences } from '../../src/plan/reference.js'

const results = new Map<string, unknown>([
  ['schema', { tableName: 'tb_order', statements: ['CREATE', 'INDEX'], 'a/b': { '~': 0 } }],
  ['text', 'only a text'],
  ['hostile', { tool: { $from: 'schema', path: '/tableName' }, list: [{ $from: 'text' }] }],
])

describe('references in arguments', () => {
  test('become values of the results that they name', () => {
    const args = {
      whole: { $from: 'schema' },
      list: [{ $from: 'schema', path: '/statements/1' }, 'as it is'],
      deep: { number: { $from: 'schema', path: '/a~1b/~0' }, text: { $from: 'text' } },
      untouched: { from: 'schema', path: '/x', nothing: null },
    }
    expect(resolveReferences(args, results)).toEqual({
      whole: results.get('schema'),
      list: ['INDEX', 'as it is'],
      deep: { number: 0, text: 'only a text' },
      untouched: { from: 'schema', path: '/x', nothing: null },
    })
  })

  test('are not looked for in what results hold: a result is data', () => {
    expect(resolveReferences({ x: { $from: 'hostile' } }, results)).toEqual({ x: results.get('hostile') })
  })

  test('keep a member that is called __proto__ a member', () => {
    const args = JSON.parse('{"x": {"__proto__": {"y": 1}}}')
    expect(JSON.stringify(resolveReferences(args, results))).toBe('{"x":{"__proto__":{"y":1}}}')
  })

  test.each([
    [{ $from: 'schema', path: '/none' }, 'that result has no /none'],
    [{ $from: 'schema', path: '/statements/length' }, 'that result has no /statements/length'],
    [{ $from: 'text', path: '/0' }, 'that result has no /0'],
    [{ $from: 'absent' }, 'has no structured content and no text, or is too large'],
  ])('fail where there is no such place: %j', (reference, words) => {
    const resolve = () => resolveReferences({ x: [reference] }, results)
    expect(resolve).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', details: expect.objectContaining({ path: 'arguments.x.0' }) }),
    )
    expect(resolve).toThrow(words)
  })
})
