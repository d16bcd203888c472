import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { compileSchema, SchemaError } from '../../src/index.js'
import { measureCpuMs } from '../cpu-time.js'

describe('compileSchema: schemas that would harm the hub', () => {
  test('refuses $async, by which every value would pass and a failed check would end the process', () => {
    for (const $async of [true, false]) {
      expect(() => compileSchema({ $async, type: 'string' })).toThrow('$async is no keyword of JSON Schema')
    }
    const nested = { $ref: '#/$defs/a', $defs: { a: { $id: 'a', $async: true, type: 'string' } } }
    expect(() => compileSchema(nested)).toThrow(SchemaError)
  })

  test('bounds the work of references that double with each level', () => {
    const levels = 60
    const $defs: Record<string, unknown> = { [`d${levels}`]: false }
    for (let level = 0; level < levels; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` }
      $defs[`d${level}`] = { anyOf: [next, { allOf: [next] }] }
    }
    const check = compileSchema({ $ref: '#/$defs/d0', $defs })
    const cpuMs = measureCpuMs(() => {
      expect(() => check('x')).toThrow(
        expect.objectContaining({
          name: 'SchemaError',
          message: 'the schema cannot check this value: its references lead on for more than 2000000 steps',
        }),
      )
    })
    expect(cpuMs).toBeLessThan(20_000)
  })

  test('counts the steps of each check anew, and enough for a large tree', () => {
    const check = compileSchema({ type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } })
    const tree = (depth: number): JsonObject =>
      depth === 0 ? {} : { children: Array.from({ length: 10 }, () => tree(depth - 1)) }
    const value = tree(6)
    for (let round = 0; round < 2; round++) expect(check(value)).toBeUndefined()
  })

  test.each<[string, JsonObject]>([
    ['itself', { $ref: '#' }],
    ['itself by a detour', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#' }] } } }],
    ['itself by a dynamic anchor', { $dynamicAnchor: 'a', allOf: [{ $dynamicRef: '#a' }] }],
  ])('names a schema that refers to nothing but %s unusable', (_, schema) => {
    const check = compileSchema(schema)
    expect(() => check({})).toThrow(SchemaError)
    expect(() => check({})).toThrow('the schema cannot check this value')
  })

  test('refuses a schema that is nested deeper than it can be compiled', () => {
    let schema: JsonObject = {}
    for (let level = 0; level < 20_000; level++) schema = { not: schema }
    expect(() => compileSchema(schema)).toThrow(SchemaError)
  })

  test('finds a value that is nested deeper than it can be checked unusable, without ending', () => {
    const check = compileSchema({ properties: { a: { $ref: '#' } } })
    let value: JsonObject = {}
    for (let level = 0; level < 200_000; level++) value = { a: value }
    expect(() => check(value)).toThrow(SchemaError)
  })

  test('looks for equal items in linear time', () => {
    const check = compileSchema({ type: 'array', uniqueItems: true })
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index, name: 'x' }))
    expect(measureCpuMs(() => expect(check(items)).toBeUndefined())).toBeLessThan(5000)
  })
})
