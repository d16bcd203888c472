import { describe, expect, test } from '@jest/globals'
import { isAgentName, isIdempotencyKey, isToolName, isTraceId } from '../../src/index.js'

const rules = [
  {
    name: 'traceId',
    accepts: isTraceId,
    longest: 128,
    takes: ['a', 'tr:1.2_3-4', 'A', '...', '.a'],
    refuses: ['a b', 'a/b', '한', 'a*', '.', '..'],
  },
  {
    name: 'tool',
    accepts: isToolName,
    longest: 128,
    takes: ['a', 'syncboot_x', 'a.b/c-1'],
    refuses: ['a b', 'a:b', '한'],
  },
  {
    name: 'agent',
    accepts: isAgentName,
    longest: 64,
    takes: ['SyncBoot', 'a_1-b'],
    refuses: ['a.b', 'a/b', '*', '한'],
  },
  {
    name: 'idempotency key',
    accepts: isIdempotencyKey,
    longest: 256,
    takes: ['!', '~', '{"a"}'],
    refuses: ['a b', '\x7f', '한'],
  },
]

describe.each(rules)('the rule of a $name', ({ accepts, longest, takes, refuses }) => {
  test('takes what it says, up to its longest', () => {
    for (const value of [...takes, 'a'.repeat(longest)]) expect([value, accepts(value)]).toEqual([value, true])
  })

  test('refuses other characters, line breaks at the end, the empty text and one character too many', () => {
    for (const value of [...refuses, '', 'a\n', '\ra', 'a\0', 'a'.repeat(longest + 1)]) {
      expect([value, accepts(value)]).toEqual([value, false])
    }
  })

  test('refuses what is no text', () => {
    for (const value of [undefined, null, 7, ['a'], { toString: () => 'a' }]) expect(accepts(value)).toBe(false)
  })
})
