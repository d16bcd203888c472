import { describe, expect, test } from '@jest/globals'
import { defineAgent, defineTool, ToolError } from '../src/index.js'

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

function toolWith(schema: { type?: string; [member: string]: unknown }) {
  return defineTool({ name: 'weather', description: 'Tells the weather.', inputSchema: schema, handler: () => 'sunny' })
}

function refusalOf(schema: { type?: string; [member: string]: unknown }, args: { [name: string]: unknown }) {
  try {
    toolWith(schema).checkArguments(args)
  } catch (thrown) {
    if (thrown instanceof ToolError) return { code: thrown.code, message: thrown.message, ...thrown.details }
    throw thrown
  }
  return undefined
}

describe('defineTool', () => {
  test('lists exactly what its author wrote down', () => {
    const outputSchema = { type: 'object' }
    const annotations = { readOnlyHint: true }
    const options = { name: 'a/b', title: 'A', description: 'Does it.', inputSchema, outputSchema, annotations }
    expect(defineTool({ ...options, handler: () => '' }).listing).toEqual(options)
    expect(toolWith(inputSchema).listing).toEqual({ name: 'weather', description: 'Tells the weather.', inputSchema })
  })

  test('refuses a name that no caller could use', () => {
    const define = () => defineTool({ name: 'my tool', description: '', inputSchema, handler: () => '' })
    expect(define).toThrow('the tool name "my tool" must be 1 to 128 characters of A-Z a-z 0-9 . _ / -')
  })

  test('refuses a schema that is not valid, naming tool, member and fault', () => {
    expect(() => toolWith({ type: 'object', properties: { a: { type: 'strong' } } })).toThrow(
      /^tool weather: the inputSchema is not a valid JSON Schema: properties\.a\.type must /,
    )
    const define = () =>
      defineTool({ name: 'x', description: '', inputSchema, outputSchema: { minimum: 'one' }, handler: () => '' })
    expect(define).toThrow(/^tool x: the outputSchema is not a valid JSON Schema/)
  })

  test('refuses a schema of draft-07 that is not valid as well', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(() => toolWith({ $schema, type: 'object', properties: { a: { type: 'strong' } } })).toThrow(/not a valid/)
  })

  test('keeps schemas of two tools apart that have one $id', () => {
    const named = (type: string) =>
      toolWith({ $id: 'https://schemas.example/arguments', type: 'object', properties: { a: { type } } })
    const [texts, numbers] = [named('string'), named('number')]
    expect(() => texts.checkArguments({ a: 'x' })).not.toThrow()
    expect(() => numbers.checkArguments({ a: 'x' })).toThrow('a must be a number')
  })

  test('refuses a misspelt keyword, which would check nothing', () => {
    expect(() => toolWith({ type: 'object', requird: ['city'] })).toThrow(
      'tool weather: the inputSchema is not a valid JSON Schema: "requird" is no keyword of JSON Schema, and would check nothing: correct its spelling, or take it out',
    )
  })

  test('refuses an input schema that is not of an object', () => {
    expect(() => toolWith({ type: 'array' })).toThrow('tool weather: the type of inputSchema must be "object"')
    expect(() => toolWith({})).toThrow('must be "object"')
  })

  test('never fetches a schema from elsewhere', () => {
    const remote = { type: 'object', properties: { a: { $ref: 'https://schemas.example/a.json' } } }
    expect(() => toolWith(remote)).toThrow(
      'it does not hold what its $ref "https://schemas.example/a.json" names, and none is fetched: put that under "$defs"',
    )
  })

  test('names the place and the expectation of an argument that is refused', () => {
    expect(refusalOf(inputSchema, { city: 7 })).toEqual({
      code: 'INVALID_PARAMS',
      message: 'Invalid params: city must be a string',
      path: 'city',
      expected: 'string',
    })
    expect(refusalOf(inputSchema, {})).toMatchObject({ message: "Invalid params: 'city' is required", path: 'city' })
    expect(refusalOf(inputSchema, { city: 'Seoul', town: 1 })).toMatchObject({
      message: "Invalid params: 'town' is not a known property",
      path: 'town',
    })
    expect(refusalOf(inputSchema, { city: 'Seoul' })).toBeUndefined()
  })

  test('finds the place in lists and under names with a slash', () => {
    const field = { type: 'object', properties: { 'a/b': { enum: ['INT', 'TEXT'] } } }
    const schema = { type: 'object', properties: { fields: { type: 'array', items: field } } }
    expect(refusalOf(schema, { fields: [{ 'a/b': 'INT' }, { 'a/b': 'BLOB' }] })).toMatchObject({
      message: 'Invalid params: fields.1.a/b must be one of ["INT","TEXT"]',
      path: 'fields.1.a/b',
      expected: 'one of ["INT","TEXT"]',
    })
    expect(refusalOf({ type: 'object', properties: { n: { minimum: 1 } } }, { n: 0 })).toMatchObject({
      message: 'Invalid params: n must be >= 1',
      expected: '>= 1',
    })
  })

  test('reads a schema as 2020-12, and as draft-07 where it says so', () => {
    const list = (keyword: string) => ({ type: 'array', [keyword]: [{ type: 'integer' }] })
    const modern = { type: 'object', properties: { pair: list('prefixItems') }, $defs: { unused: { type: 'null' } } }
    expect(refusalOf(modern, { pair: ['one'] })).toMatchObject({ path: 'pair.0', expected: 'integer' })
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const old = { $schema, type: 'object', properties: { pair: list('items') } }
    expect(refusalOf(old, { pair: ['one'] })).toMatchObject({ message: 'Invalid params: pair.0 must be an integer' })
  })
})

describe('defineAgent', () => {
  test('refuses two tools of one name', () => {
    const tools = [toolWith(inputSchema), toolWith(inputSchema)]
    expect(() => defineAgent({ name: 'Twins', version: '1', tools })).toThrow(
      'agent Twins: two tools are called weather',
    )
  })

  test('refuses a name with a dot, since agent.tool must be readable one way only', () => {
    expect(() => defineAgent({ name: 'a.b', version: '1', tools: [] })).toThrow('the agent name "a.b" must be')
  })
})
