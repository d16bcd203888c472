import { expect, test } from '@jest/globals'
import { parseCompletion } from '../../src/index.js'

test('a completion has at most a hundred texts, and says how many there are where it knows', () => {
  const completion = { values: ['서울', 'Sejong'], total: 2, hasMore: false }
  expect(parseCompletion({ completion })).toEqual(completion)
  expect(parseCompletion({ completion: { values: [] } })).toEqual({ values: [] })
})

test.each([
  ['no completion', {}, 'result.completion: expected an object'],
  ['values that are no texts', { completion: { values: [1] } }, 'result.completion.values.0: expected a string'],
  ['more than a hundred', { completion: { values: Array(101).fill('') } }, 'expected an array of at most 100 items'],
  [
    'a total that is none',
    { completion: { values: [], total: 0.5 } },
    'result.completion.total: expected a whole number',
  ],
])('a completion is refused with %s', (_, value, fault) => {
  expect(() => parseCompletion(value)).toThrow(fault)
})
