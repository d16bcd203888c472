import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { compileOwnSchema, compileSchema, SchemaError } from '../../src/index.js'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'

function accepts(schema: JsonObject, value: unknown): boolean {
  return compileSchema(schema)(value) === undefined
}

function refusalOf(schema: JsonObject): string {
  try {
    compileSchema(schema)
  } catch (thrown) {
    if (thrown instanceof SchemaError) return thrown.message
    throw thrown
  }
  return 'taken'
}

describe('compileSchema: dialects', () => {
  test('reads 2020-12, also where $schema is absent', () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }
    for (const dialect of [{}, { $schema: DRAFT_2020 }, { $schema: `${DRAFT_2020}#` }]) {
      expect(accepts({ ...dialect, ...schema }, ['a', 1])).toBe(true)
      expect(accepts({ ...dialect, ...schema }, [1, 'a'])).toBe(false)
      expect(accepts({ ...dialect, ...schema }, ['a', 1, 2])).toBe(false)
    }
  })

  test.each([DRAFT_07, 'http://json-schema.org/draft-07/schema', 'https://json-schema.org/draft-07/schema#'])(
    'reads draft-07 where $schema is %s',
    ($schema) => {
      const schema = {
        $schema,
        definitions: { name: { type: 'string' } },
        type: 'array',
        items: [{ $ref: '#/definitions/name' }, { type: 'integer' }],
        additionalItems: false,
      }
      expect(accepts(schema, ['a', 1])).toBe(true)
      expect(accepts(schema, [1, 1])).toBe(false)
      expect(accepts(schema, ['a', 1, 2])).toBe(false)
    },
  )

  test.each([
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'http://example.test/mine',
    '',
  ])('refuses $schema %j, which it does not know', ($schema) => {
    expect(refusalOf({ $schema, type: 'object' })).toBe(
      `$schema ${$schema} is not supported; use JSON Schema 2020-12 or draft-07`,
    )
  })

  test('refuses a $schema that is no text', () => {
    expect(refusalOf({ $schema: 7 })).toBe('$schema must be a string')
  })
})

describe('compileSchema: references', () => {
  test('follows $defs, anchors and pointers within the schema', () => {
    const schema = {
      $defs: { city: { $anchor: 'place', type: 'string' }, 'a/b': { type: 'integer' } },
      properties: { a: { $ref: '#/$defs/city' }, b: { $ref: '#place' }, c: { $ref: '#/$defs/a~1b' } },
    }
    expect(accepts(schema, { a: 'x', b: 'y', c: 1 })).toBe(true)
    for (const value of [{ a: 1 }, { b: 1 }, { c: 'x' }]) expect(accepts(schema, value)).toBe(false)
  })

  test.each([
    ['the root', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    [
      'a definition',
      {
        $ref: '#/$defs/node',
        $defs: { node: { type: 'object', properties: { children: { items: { $ref: '#/$defs/node' } } } } },
      },
    ],
    [
      'a dynamic anchor',
      { $dynamicAnchor: 'node', type: 'object', properties: { children: { items: { $dynamicRef: '#node' } } } },
    ],
  ])('follows a recursion through %s as deep as the value is', (_, schema) => {
    expect(accepts(schema, { children: [{ children: [{}, { children: [] }] }] })).toBe(true)
    expect(compileSchema(schema)({ children: [{ children: [{}, { children: [7] }] }] })).toEqual({
      path: 'children.0.children.1.children.0',
      expected: 'object',
      reason: 'children.0.children.1.children.0 must be an object',
    })
  })

  test('keeps equal $ids of two schemas apart', () => {
    const texts = compileSchema({ $id: 'http://agent.test/tool', type: 'string' })
    const numbers = compileSchema({ $id: 'http://agent.test/tool', type: 'number' })
    expect([texts('a'), numbers(1)]).toEqual([undefined, undefined])
    expect(texts(1)).toBeDefined()
    expect(numbers('a')).toBeDefined()
  })

  test('never fetches a remote $ref, and says so', async () => {
    let hits = 0
    const server = createServer((_req, res) => {
      hits++
      res.end('{"type":"string"}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/schema.json`
    try {
      for (const schema of [{ $ref: url }, { $id: `${url}/`, properties: { a: { $ref: 'other.json#/x' } } }]) {
        expect(refusalOf(schema)).toMatch(
          /^the schema does not hold what its \$ref http:\S+ names, and none is fetched$/,
        )
      }
      // A server that is asked would count it only once the request has come: ask it ourselves and see that we are the first.
      await (await fetch(url)).text()
      expect(hits).toBe(1)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  test('refuses a $ref to what the schema does not hold', () => {
    expect(refusalOf({ $ref: '#/$defs/nowhere' })).toBe(
      'the schema does not hold what its $ref #/$defs/nowhere names, and none is fetched',
    )
  })
})

describe('compileSchema: what schemas may hold', () => {
  test('takes formats and keywords that it does not know as notes', () => {
    const schema = { type: 'string', format: 'frobnicate', 'x-note': { a: 1 }, contentEncoding: 'base64' }
    expect(accepts(schema, 'not base64 at all')).toBe(true)
    expect(accepts({ format: 'email' }, 'no address')).toBe(true)
  })

  test.each<[string, JsonObject, string]>([
    ['a type that does not exist', { properties: { a: { type: 'strin' } } }, 'properties.a.type must be one of'],
    ['a keyword of the wrong type', { required: 'a' }, 'required must be an array'],
    ['a bound that is negative', { minLength: -1 }, 'minLength must be >= 0'],
    ["draft-04's exclusiveMinimum", { exclusiveMinimum: true }, 'exclusiveMinimum must be a number'],
  ])('refuses %s and names the place in the schema', (_, schema, place) => {
    expect(refusalOf(schema)).toContain(`the schema is not valid: ${place}`)
    expect(refusalOf({ ...schema, $schema: DRAFT_07 })).toContain(`the schema is not valid: ${place}`)
  })

  test('takes a schema as large as the bound, in bytes, and refuses a larger one', () => {
    const empty = JSON.stringify({ description: '' }).length
    const fitting = '한'.repeat(1000) + 'x'.repeat(256 * 1024 - 3000 - empty)
    expect(refusalOf({ description: fitting })).toBe('taken')
    expect(refusalOf({ description: `${fitting}x` })).toBe('the schema is larger than 262144 bytes')
  })

  test('checks names that JavaScript objects inherit as any others', () => {
    const schema = { required: ['constructor'], properties: { constructor: { type: 'string' } } }
    expect(compileSchema(schema)({})?.reason).toBe("'constructor' is required")
    expect(accepts(schema, { constructor: 'x' })).toBe(true)
  })

  test('finds equal items whatever the order of their names, and tells 1 from "1" and true', () => {
    for (const $schema of [DRAFT_2020, DRAFT_07]) {
      const schema = { $schema, type: 'array', uniqueItems: true }
      expect(accepts(schema, [1, '1', true, 'true', null, 'null', [1], [[1]], {}, { a: 1 }])).toBe(true)
      expect(compileSchema(schema)([{ a: 1, b: [2] }, 0, { b: [2], a: 1 }])?.reason).toBe(
        'the value must not have equal items',
      )
      expect(accepts({ ...schema, uniqueItems: false }, [1, 1])).toBe(true)
    }
  })
})

describe('compileOwnSchema: schemas of our own', () => {
  test('tells apart what it compiled with one compiler, in the same words', () => {
    const schemas = ['string', 'number'].map((type) => ({
      type: 'object',
      required: ['a'],
      properties: { a: { type } },
    }))
    const [texts, numbers] = schemas.map(compileOwnSchema)
    expect([texts?.({ a: 'x' }), numbers?.({ a: 1 })]).toEqual([undefined, undefined])
    expect(texts?.({ a: 1 })?.reason).toBe('a must be a string')
    expect(numbers?.({})).toEqual(compileSchema(schemas[1] ?? {})({}))
  })
})
