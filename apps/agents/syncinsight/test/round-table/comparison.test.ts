import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { compareStatements } from '../../src/round-table/comparison.js'
import { statementOf } from '../source-fixture.js'

const compare = (one: string, other: string) =>
  compareStatements(statementOf(one), statementOf(other, 'notes'), () => 1)

describe('compareStatements', () => {
  test.each([
    ['A lease lasts 10 seconds by default.', 'By default a lease lasts 10,000 ms.'],
    ['The hub never drops an event of a trace.', 'An event of a trace is never dropped by the hub.'],
    ['Private addresses are not allowed by the agent.', 'Private addresses are refused by the agent.'],
    ['허브는 이벤트를 순서대로 저장한다.', '허브는 모든 이벤트를 순서대로 저장한다.'],
  ])('calls it support: %s / %s', (one, other) => {
    expect(compare(one, other).relation).toBe('supports')
  })

  test.each([
    [
      'A lease lasts 10 seconds by default.',
      'By default a lease lasts 5 seconds.',
      'says “5 seconds” where the claim says “10 seconds”',
    ],
    ['The Redis server listens on port 6379.', 'The Redis server of the hub uses port 6380.', '“6380”'],
    ['The body limit is 4 MiB per request.', 'The body limit is 1 MiB for each request.', '“1 MiB”'],
    [
      'A cancel always stops the running agent.',
      'A cancel never stops the running agent.',
      'negates what the claim affirms',
    ],
    ["The queue doesn't keep finished jobs.", 'The queue keeps finished jobs.', 'affirms what the claim negates'],
    [
      'Compression of the stream is enabled.',
      'Compression of the stream is disabled.',
      'other side of enabled/disabled',
    ],
    [
      'Private network addresses are allowed.',
      'Private network addresses are refused.',
      'other side of allowed/refused',
    ],
    ['허브는 이벤트를 3시간 동안 보관한다.', '허브는 이벤트를 24시간 동안 보관한다.', '“24시간”'],
    ['허브는 취소된 작업을 다시 실행한다.', '허브는 취소된 작업을 다시 실행하지 않는다.', 'negates'],
  ])('calls it a contradiction: %s / %s', (one, other, reason) => {
    expect(compare(one, other)).toMatchObject({ relation: 'contradicts', reason: expect.stringContaining(reason) })
  })

  test.each([
    ['A lease lasts 10 seconds by default.', 'A heartbeat comes every 5 seconds.'],
    ['The hub stores events in Redis.', 'The dashboard shows traces in a list.'],
    ['The body limit is 4 MiB for each request.', 'The wait limit of a queued call is 4 minutes.'],
    ['Cancel is asked of a task.', 'No watcher of the hub ever waits for a slow reader in the list.'],
  ])('is silent: %s / %s', (one, other) => {
    expect(compare(one, other)).toMatchObject({ relation: 'silent', reason: '' })
  })

  test('calls the same words a copy, which is no independent support', () => {
    const text = 'A lease lasts 10 seconds by default.'
    expect(compare(text, text.toUpperCase())).toMatchObject({
      relation: 'copies',
      reason: expect.stringContaining('copy'),
    })
  })

  test('sees no contradiction where one of several quantities is the same', () => {
    expect(
      compare('A retry waits 5 s or 10 s before it starts.', 'A retry waits 10 s before it starts.').relation,
    ).toBe('supports')
  })

  test('gives the same relation in both directions', () => {
    const word = fc.constantFrom(
      'lease',
      'worker',
      'event',
      'stream',
      'hub',
      'not',
      'enabled',
      'disabled',
      '5 s',
      '10 s',
      'port 3',
    )
    const sentence = fc
      .array(word, { minLength: 5, maxLength: 9 })
      .map((words) => `The trace queue agent ${words.join(' ')}.`)
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        expect(compare(one, other).relation).toBe(compare(other, one).relation)
      }),
    )
  })
})
