import { describe, expect, test } from '@jest/globals'
import { HeldNotices } from '../../src/streams/held-notices.js'

const notice = (traceId: string, seq = 1) => ({ traceId, owner: 'alice', seq, state: 'running' }) as const

describe('the notices that wait for a slow reader', () => {
  test('are the last one of each trace, given once', () => {
    const held = new HeldNotices()
    held.add([notice('one', 1), notice('two', 1)])
    held.add([notice('one', 5), { ...notice('one', 2), owner: 'bob' }])
    expect(held.take()).toEqual({
      loss: null,
      waiting: [notice('one', 5), notice('two', 1), { ...notice('one', 2), owner: 'bob' }],
    })
    expect(held.take()).toEqual({ loss: null, waiting: [] })
  })

  test('are bounded: past that only the loss is told, and what comes after it', () => {
    const held = new HeldNotices()
    held.add(Array.from({ length: 10_000 }, (_, at) => notice(`trace-${at}`)))
    held.add([notice('one-more')])
    held.add([notice('later')])
    expect(held.take()).toEqual({ loss: 'overflow', waiting: [notice('later')] })
  })

  test('give way to the list of traces where the hub itself missed some', () => {
    const held = new HeldNotices()
    held.add([notice('one')])
    held.lose('interrupted')
    expect(held.take()).toEqual({ loss: 'interrupted', waiting: [] })
  })
})
