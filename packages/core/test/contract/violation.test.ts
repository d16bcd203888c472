import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { compileSchema } from '../../src/index.js'

function explain(schema: JsonObject, value: unknown) {
  const { path, expected, reason } = compileSchema(schema)(value) ?? { reason: 'no violation' }
  return [path, expected, reason]
}

const inA = (schema: unknown): JsonObject => ({ properties: { a: schema } })

describe('a violation of a schema', () => {
  test("reads as the seeds' examples do", () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['query'] }
    expect(explain(schema, { query: 'x', city: 7 })).toEqual(['city', 'string', 'city must be a string'])
    expect(explain(schema, {})).toEqual(['query', 'a value', "'query' is required"])
  })

  test.each<[string, JsonObject, unknown, [string, string, string]]>([
    ['the value itself', { type: 'object' }, [], ['', 'object', 'the value must be an object']],
    ['null', { type: 'null' }, 1, ['', 'null', 'the value must be null']],
    [
      'several types',
      inA({ type: ['string', 'null'] }),
      { a: 1 },
      ['a', 'string or null', 'a must be a string or null'],
    ],
    ['an integer', inA({ type: 'integer' }), { a: 1.5 }, ['a', 'integer', 'a must be an integer']],
    ['an enum', inA({ enum: ['x', 2] }), { a: 1 }, ['a', 'one of ["x",2]', 'a must be one of ["x",2]']],
    ['a const', inA({ const: { b: 1 } }), { a: 1 }, ['a', '{"b":1}', 'a must be {"b":1}']],
    ['a pattern', inA({ pattern: '^x' }), { a: 'y' }, ['a', 'text that matches ^x', 'a must be text that matches ^x']],
    ['a minimum', inA({ minimum: 3 }), { a: 1 }, ['a', '>= 3', 'a must be >= 3']],
    [
      'a length',
      inA({ minLength: 3 }),
      { a: 'x' },
      ['a', 'at least 3 characters', 'a must have at least 3 characters'],
    ],
    ['one', inA({ minItems: 1 }), { a: [] }, ['a', 'at least 1 item', 'a must have at least 1 item']],
    [
      'a bound above',
      inA({ maxProperties: 1 }),
      { a: { b: 1, c: 2 } },
      ['a', 'at most 1 property', 'a must have at most 1 property'],
    ],
    ['not', inA({ not: { type: 'string' } }), { a: 'x' }, ['a', 'not be valid', 'a must not be valid']],
    [
      'a place deep inside',
      inA({ items: { properties: { 'b/c~d': { type: 'string' } } } }),
      { a: [{}, { 'b/c~d': 1 }] },
      ['a.1.b/c~d', 'string', 'a.1.b/c~d must be a string'],
    ],
    ['what is missing deep inside', inA({ required: ['b'] }), { a: {} }, ['a.b', 'a value', "'a.b' is required"]],
    ['a dependent name', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['b', 'a value', "'b' is required"]],
    [
      'an unknown name',
      inA({ properties: {}, additionalProperties: false }),
      { a: { b: 1 } },
      ['a.b', 'no such property', "'a.b' is not a known property"],
    ],
    [
      'an unevaluated name',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      ['b', 'no such property', "'b' is not a known property"],
    ],
    [
      'a name that is not allowed',
      inA({ propertyNames: { pattern: '^x' } }),
      { a: { y: 1 } },
      ['a.y', 'text that matches ^x', "'a.y' is no allowed name: it must be text that matches ^x"],
    ],
    [
      'a condition',
      inA(JSON.parse('{"if":{"type":"string"},"then":{"minLength":2}}')),
      { a: 'x' },
      ['a', 'at least 2 characters', 'a must have at least 2 characters'],
    ],
    [
      'contains',
      inA({ contains: { type: 'string' } }),
      { a: [1] },
      ['a', 'contain at least 1 valid item(s)', 'a must contain at least 1 valid item(s)'],
    ],
  ])('names place and expectation of %s', (_, schema, value, explanation) => {
    expect(explain(schema, value)).toEqual(explanation)
  })

  test.each<[string, unknown, unknown, [string, string, string]]>([
    [
      'types',
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      true,
      ['a', 'string or number or null', 'a must be a string or a number or null'],
    ],
    ['constants', { oneOf: [{ const: 'x' }, { const: 'y' }] }, 'z', ['a', '"x" or "y"', 'a must be "x" or "y"']],
    [
      'an object or null: what the object lacks',
      { anyOf: [{ type: 'null' }, { type: 'object', required: ['b'] }] },
      {},
      ['a.b', 'a value', "'a.b' is required"],
    ],
    [
      'an object or null: what is wrong inside the object',
      { anyOf: [{ type: 'object', properties: { b: { type: 'string' } } }, { type: 'null' }] },
      { b: 1 },
      ['a.b', 'string', 'a.b must be a string'],
    ],
    [
      'alternatives in alternatives',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'number' }] },
      true,
      ['a', 'string or null or number', 'a must be a string or null or a number'],
    ],
    [
      'objects that it could all be',
      { oneOf: [{ required: ['b'] }, { required: ['c'] }] },
      {},
      ['a', 'one of its alternatives', 'a must keep one of the alternatives of its schema'],
    ],
    [
      'several that fit at once',
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      1,
      ['a', 'exactly one of its alternatives', 'a must keep exactly one of the alternatives of its schema'],
    ],
    [
      'nothing that can be kept',
      { anyOf: [false, false] },
      1,
      ['a', 'one of its alternatives', 'a must keep one of the alternatives of its schema'],
    ],
  ])('tells of alternatives only what is true of them: %s', (_, schema, value, explanation) => {
    expect(explain(inA(schema), { a: value })).toEqual(explanation)
  })

  test('shows no more than twenty values of an enum', () => {
    const values = Array.from({ length: 25 }, (_, index) => index)
    expect(explain({ enum: values }, 'x')[1]).toBe(`one of ${JSON.stringify(values.slice(0, 20))} and 5 more`)
  })
})
