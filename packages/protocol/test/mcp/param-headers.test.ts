import { describe, expect, test } from '@jest/globals'
import {
  declaredParamHeaders,
  ParamHeaderError,
  paramHeadersOf,
  readParamHeaders,
} from '../../src/mcp/param-headers.js'

const text = (name: unknown) => ({ type: 'string', 'x-mcp-header': name })
const object = (properties: object) => ({ type: 'object', properties })

describe('readParamHeaders', () => {
  test('finds parameters at any depth of properties', () => {
    const schema = object({
      city: text('City'),
      place: object({ size: { type: 'integer', 'x-mcp-header': 'Size' } }),
      'x-mcp-header': { type: 'string', description: 'only called so' },
    })
    expect(readParamHeaders(schema)).toEqual([
      { path: ['city'], header: 'Mcp-Param-City' },
      { path: ['place', 'size'], header: 'Mcp-Param-Size' },
    ])
    expect(readParamHeaders(object({ city: { type: 'string' } }))).toEqual([])
  })

  test.each<[string, object, string]>([
    ['an empty name', object({ a: text('') }), 'x-mcp-header of a is no name of a header'],
    ['a name with a blank', object({ a: text('a b') }), 'x-mcp-header of a is no name of a header'],
    ['no text for a name', object({ a: text(1) }), 'x-mcp-header of a is no name of a header'],
    [
      'a number',
      object({ a: { type: 'number', 'x-mcp-header': 'A' } }),
      'x-mcp-header of a needs the type string, integer or boolean',
    ],
    ['one name twice', object({ a: text('Aa'), b: text('aA') }), 'x-mcp-header names one header twice'],
    [
      'a place in a list',
      object({ a: { type: 'array', items: text('A') } }),
      'x-mcp-header stands where no chain of "properties" leads',
    ],
    [
      'a place in an alternative',
      { anyOf: [object({ a: text('A') })] },
      'x-mcp-header stands where no chain of "properties" leads',
    ],
    [
      'the schema itself',
      { type: 'object', 'x-mcp-header': 'A' },
      'x-mcp-header stands where no chain of "properties" leads',
    ],
  ])('refuses %s', (_, schema, reason) => {
    expect(() => readParamHeaders(schema as Record<string, unknown>)).toThrow(new ParamHeaderError(reason))
  })
})

describe('declaredParamHeaders', () => {
  test('reads each schema once', () => {
    const schema = object({ city: { type: 'string', 'x-mcp-header': 'City' } })
    expect(declaredParamHeaders(schema)).toEqual(readParamHeaders(schema))
    expect(declaredParamHeaders(schema)).toBe(declaredParamHeaders(schema))
  })

  test('has none of a tool that declares them wrongly', () => {
    const schema = object({ city: { type: 'object', 'x-mcp-header': 'City' } })
    expect(() => readParamHeaders(schema)).toThrow(ParamHeaderError)
    expect(declaredParamHeaders(schema)).toEqual([])
  })
})

describe('paramHeadersOf', () => {
  const params = [{ path: ['a', 'b'], header: 'Mcp-Param-B' }]
  const headerOf = (value: unknown) => paramHeadersOf(params, { a: { b: value } })['Mcp-Param-B']

  test.each<[unknown, string | undefined]>([
    ['Seoul', 'Seoul'],
    ['a b', 'a b'],
    [true, 'true'],
    [0, '0'],
    [-7, '-7'],
    ['', '=?base64??='],
    [' a', '=?base64?IGE=?='],
    ['a\n', '=?base64?YQo=?='],
    ['서울', '=?base64?7ISc7Jq4?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
    [null, undefined],
    [undefined, undefined],
    [1.5, undefined],
    [2 ** 60, undefined],
    [{}, undefined],
  ])('writes %j as %j', (value, header) => {
    expect(headerOf(value)).toBe(header)
  })

  test('leaves out what does not lead to the parameter', () => {
    expect(paramHeadersOf(params, {})).toEqual({})
    expect(paramHeadersOf(params, { a: 'text' })).toEqual({})
  })
})
