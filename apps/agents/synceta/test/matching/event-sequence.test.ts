import { describe, expect, test } from '@jest/globals'
import type { EventStep } from '../../src/fixtures/fixture-case.js'
import { EventSequence } from '../../src/matching/event-sequence.js'

/** `a` is one event, `a+` some, `a*` any. */
function steps(pattern: string): EventStep[] {
  const repeats = { '+': 'some', '*': 'any' } as const
  return pattern.split(' ').map((step) => {
    const mark = step.at(-1) as keyof typeof repeats
    return mark in repeats ? { event: step.slice(0, -1), repeat: repeats[mark] } : { event: step, repeat: 'one' }
  })
}

function follow(pattern: string, events: string): string {
  const sequence = new EventSequence(steps(pattern), new Map())
  for (const [index, event] of events.split(' ').filter(Boolean).entries()) {
    const [mismatch] = sequence.accept({ event, data: '{}' }, index)
    if (mismatch !== undefined) return `${mismatch.place}: ${mismatch.expected}`
  }
  return sequence.isComplete ? 'complete' : `open: ${sequence.next}`
}

describe('a sequence of events', () => {
  test.each([
    ['a b', 'a b', 'complete'],
    ['a b', 'a', 'open: b'],
    ['a b', 'b', 'event 0: a'],
    ['a b', 'a b b', 'event 2: the end of the stream'],
    ['a+ b', 'a a a b', 'complete'],
    ['a+ b', 'b', 'event 0: a'],
    ['a+ b', 'a', 'open: a or b'],
    ['a* b', 'b', 'complete'],
    ['a* b*', '', 'complete'],
    ['a* b', 'a a c', 'event 2: a or b'],
    ['a* a', 'a', 'complete'],
    ['a* a a', 'a a a a', 'complete'],
    ['a+ a', 'a', 'open: a'],
    ['a b* c* d', 'a d', 'complete'],
    ['a b* c* d', 'a c b', 'event 2: c or d'],
  ])('of %j over %j is %s', (pattern, events, state) => {
    expect(follow(pattern, events)).toBe(state)
  })

  test('keeps every reading open that its data allows', () => {
    const isLast = (last: boolean): EventStep => ({ event: 'p', repeat: 'one', data: { includes: { last } } })
    const sequence = new EventSequence([{ event: 'p', repeat: 'any' }, isLast(true)], new Map())
    for (const last of [true, false, true]) {
      expect(sequence.accept({ event: 'p', data: JSON.stringify({ last }) }, 0)).toEqual([])
      expect(sequence.isComplete).toBe(last)
    }
  })
})
