import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { HubError, parseBody } from '../../src/index.js'
import { findShapeProblem } from '../../src/json-rpc/json-shape.js'
import { duplicateName, jsonTree, nestingOf, writeJson } from './json-tree.js'

describe('findShapeProblem', () => {
  test('agrees with a naive reading of the tree on any JSON text, however it is spelled', () => {
    fc.assert(
      fc.property(jsonTree, fc.infiniteStream(fc.boolean()), (tree, choices) => {
        const text = writeJson(tree, choices)
        const duplicate = duplicateName(tree)
        const expected = duplicate === undefined ? undefined : { kind: 'duplicate-key', key: duplicate }
        expect(findShapeProblem(text, 1000)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('agrees with a naive count of the levels', () => {
    fc.assert(
      fc.property(
        jsonTree,
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.boolean()),
        (tree, maxDepth, choices) => {
          fc.pre(duplicateName(tree) === undefined)
          const expected = nestingOf(tree) > maxDepth ? { kind: 'depth' } : undefined
          expect(findShapeProblem(writeJson(tree, choices), maxDepth)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('numbers that JSON.parse would change', () => {
  test.each(['9007199254740993', '-9007199254740993', '123456789012345678901', '1e400', '-1E+999'])(
    '%s is found wherever it stands, and never in a text or a name',
    (number) => {
      const problem = { kind: 'inexact-number', text: number }
      expect(findShapeProblem(number, 9)).toEqual(problem)
      expect(findShapeProblem(`{"a":[1,{"b":${number}}]}`, 9)).toEqual(problem)
      expect(findShapeProblem(`[ ${number} ,2]`, 9)).toEqual(problem)
      expect(findShapeProblem(`{"${number}":"${number}"}`, 9)).toBeUndefined()
    },
  )

  test.each(['0', '-0', '9007199254740992', '9007199254740991', '0.1', '1e3', '1152921504606847000', '5e-324'])(
    '%s is left alone: it is held, or rounded by every reader',
    (number) => expect(findShapeProblem(`[${number}]`, 9)).toBeUndefined(),
  )
})

describe('parseBody', () => {
  const LIMITS = { maxDepth: 8, maxBatchSize: 4 }

  function outcomeOf(text: string): string {
    try {
      parseBody(text, LIMITS)
      return 'frames'
    } catch (thrown) {
      if (thrown instanceof HubError) return thrown.code
      throw thrown
    }
  }

  function isJson(text: string): boolean {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  const almostJson = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '\0', '\ud800', '1e999'),
    )
    .map(([text, at, extra]) => text.slice(0, at % (text.length + 1)) + extra + text.slice(at % (text.length + 1)))

  test('throws PARSE_ERROR for exactly the texts that are no JSON, and nothing else ever', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), almostJson, fc.string({ unit: 'binary' })), (text) => {
        expect(outcomeOf(text)).toBe(isJson(text) ? 'frames' : 'PARSE_ERROR')
      }),
      { numRuns: 2000 },
    )
  })
})
