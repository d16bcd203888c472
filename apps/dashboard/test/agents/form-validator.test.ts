import { describe, expect, test } from '@jest/globals'
import { formValidator, withoutPatterns } from '../../src/pages/agent/form/form-validator.js'

const SCHEMA = {
  type: 'object',
  required: ['question'],
  properties: {
    question: { type: 'string', minLength: 3 },
    list: { type: 'array', items: { $ref: '#/$defs/name' } },
  },
  $defs: { name: { type: 'string' } },
} as const

describe('the form', () => {
  test.each([
    [{}, '.question'],
    [{ question: 'a' }, '.question'],
    [{ question: 'why', list: ['a', 1] }, '.list.1'],
  ])('says of %j that %s is wrong', (data, property) => {
    const { errors } = formValidator.validateFormData(data, SCHEMA as never)
    expect(errors.map((error) => error.property)).toEqual([property])
  })

  test('finds nothing wrong with what is right, and knows the definitions of the whole schema', () => {
    expect(formValidator.validateFormData({ question: 'why', list: ['a'] }, SCHEMA as never).errors).toEqual([])
    const name = { $ref: '#/$defs/name' }
    expect(formValidator.isValid(name, 'a', SCHEMA as never)).toBe(true)
    expect(formValidator.isValid(name, 1, SCHEMA as never)).toBe(false)
  })

  test('leaves patterns, which could hold the page up, to the hub', () => {
    const schema = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { x: {} },
    }
    expect(withoutPatterns(schema)).toEqual({ type: 'object', properties: { pattern: { type: 'string' } } })
  })
})
