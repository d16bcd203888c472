import { describe, expect, test } from '@jest/globals'
import { compileSchema, SchemaError } from '../../src/index.js'
import { measureCpuMs } from '../cpu-time.js'

function matches(pattern: string, text: string): boolean {
  return compileSchema({ pattern })(text) === undefined
}

describe('compileSchema: patterns', () => {
  test('are each checked by themselves, beside the patterns of other places and of the schema of schemas', () => {
    const check = compileSchema({
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^x': { pattern: '^c$' } },
      propertyNames: { pattern: '^.$|^x' },
    })
    expect(check({ a: 'a', b: 'b', x1: 'c' })).toBeUndefined()
    expect(check({ a: 'b' })?.path).toBe('a')
    expect(check({ b: 'a' })?.path).toBe('b')
    expect(check({ x1: 'a' })?.path).toBe('x1')
    expect(check({ yy: 'a' })?.path).toBe('yy')
  })

  test.each([
    ['^[a-z]+$', 'abc', 'abc\n'],
    ['b', 'abc', 'ac'],
    ['^[\\uac00-\\ud7a3]+$', '한글', 'hangul'],
    ['^\\u{1F600}$', '😀', '😃'],
    ['^.$', '😀', '😀😀'],
    ['^(?<year>\\d{4})-(?<month>\\d{2})$', '2026-07', '2026-7'],
    ['^\\p{L}+$', '한글', '12'],
    ['^/path\\/[\\w-]+$', '/path/a-b', '/path/'],
    ['(?<=a)b', 'ab', 'cb'],
    ['(?<!a)b', 'cb', 'ab'],
  ])('read %s as ECMAScript does', (pattern, fitting, other) => {
    expect([matches(pattern, fitting), matches(pattern, other)]).toEqual([true, false])
    expect([new RegExp(pattern, 'u').test(fitting), new RegExp(pattern, 'u').test(other)]).toEqual([true, false])
  })

  test.each([
    ['look-ahead', '^(?=a)a$'],
    ['negative look-ahead', '^(?!a)b$'],
    ['a back-reference', '^(a)\\1$'],
    ['a count that is too large', '^a{1,5000}$'],
    ['no expression', '(['],
  ])('that need more than linear time or are none refuse the schema: %s', (_, pattern) => {
    for (const schema of [{ pattern }, { patternProperties: { [pattern]: true } }]) {
      expect(() => compileSchema(schema)).toThrow(SchemaError)
      expect(() => compileSchema(schema)).toThrow('the schema cannot be compiled: error parsing regexp')
    }
  })

  test.each(['^(a+)+$', '^(a|a)*$', '^([a-z]+)*\\d$', '(.*)*x', '^(.{0,30}){0,30}$'])(
    'take linear time: %s on a megabyte that does not match',
    (pattern) => {
      const check = compileSchema({ pattern })
      const text = `${'a'.repeat(1_000_000)}!`
      expect(measureCpuMs(() => expect(check(text)).toBeDefined())).toBeLessThan(5000)
    },
  )
})
