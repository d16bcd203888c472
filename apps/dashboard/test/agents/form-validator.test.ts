import { describe, expect, test } from '@jest/globals'
import { COMPLAINTS_EN, COMPLAINTS_KO } from '../../src/pages/agent/form/complaints.js'
import { createFormValidator, withoutPatterns } from '../../src/pages/agent/form/form-validator.js'
import { readJson, writeJson } from '../../src/pages/agent/form/json-text.js'

const formValidator = createFormValidator(COMPLAINTS_EN)

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

  test.each([
    ['minLength', { question: 'a' }, 'At least 3 characters.', '3자 이상이어야 합니다.'],
    [
      'a type behind a reference',
      { question: 'why', list: [1] },
      'What fits here: text.',
      '입력할 수 있는 값: 텍스트.',
    ],
    ['an item that is not filled in', { question: 'why', list: [null] }, 'This is needed.', '꼭 필요한 값입니다.'],
    ['a keyword without words', { question: 'why', 'a/b c': 1 }, 'This does not fit.', '맞지 않는 값입니다.'],
  ])('says in words what %s asks for', (_keyword, data, english, korean) => {
    const schema = { ...SCHEMA, properties: { ...SCHEMA.properties, 'a/b c': { not: {} } } }
    const messages = [COMPLAINTS_EN, COMPLAINTS_KO].map((complaints) => {
      const { errors } = createFormValidator(complaints).validateFormData(data, schema as never)
      return errors.map((error) => error.message)
    })
    expect(messages).toEqual([[english], [korean]])
  })

  test('finds the field whose name holds dots, blanks and slashes', () => {
    const schema = { type: 'object', required: ['a.b'], properties: { 'c/d e.f': { type: 'number' } } }
    const { errorSchema } = formValidator.validateFormData({ 'c/d e.f': 'x' }, schema as never)
    expect(Object.keys(errorSchema).toSorted()).toEqual(['a.b', 'c/d e.f'])
  })

  test('says that text is no object where the whole form is one of JSON', () => {
    const { errors } = formValidator.validateFormData('{"a":', { type: 'object' } as never)
    expect(errors.map((error) => error.name)).toEqual(['type'])
  })

  test.each([
    ['', undefined],
    ['{"a": [1]}', { a: [1] }],
    ['"1"', '1'],
    ['plain words', 'plain words'],
    ['{"a": ', '{"a": '],
  ])('reads %j as the value that it means, and writes it back', (text, value) => {
    expect(readJson(text).value).toEqual(value)
    expect(readJson(writeJson(value)).value).toEqual(value)
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
