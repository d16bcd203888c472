import { describe, expect, test } from '@jest/globals'
import { ENDED_STATES, EVENT_NAMES, isOpenState, isTerminalEvent } from '@synchub/protocol'
import { type ChangeEvent, transitionOf } from '../../src/index.js'

// The whole life of a call, so that no way in or out of a state can be added in silence.
const TABLE: Readonly<Record<ChangeEvent, string>> = {
  accepted: 'received awaiting_input > queued',
  refused: 'received > refused',
  started: 'queued running awaiting_input > running',
  progress: 'running > running',
  retrying: 'running > running',
  handed_back: 'running > queued',
  input_requested: 'running > awaiting_input',
  input_received: 'awaiting_input > awaiting_input',
  complete: 'running > completed',
  failed: 'queued running awaiting_input > failed',
  cancelled: 'queued running awaiting_input > cancelled',
  unknown: 'queued running > unknown',
}
const EVENTS = Object.keys(TABLE) as ChangeEvent[]

describe('state table', () => {
  test('is this one, whole', () => {
    const actual = EVENTS.map((event) => [event, `${transitionOf(event).from.join(' ')} > ${transitionOf(event).to}`])
    expect(Object.fromEntries(actual)).toEqual(TABLE)
  })

  test('has every event but received, which makes the call, and resolved, which changes no state', () => {
    const others = EVENT_NAMES.filter((name) => name !== 'received' && name !== 'resolved')
    expect(EVENTS.toSorted()).toEqual(others.toSorted())
  })

  test('lets nothing come after an end, and ends a call by terminal events only', () => {
    for (const event of EVENTS) {
      expect(transitionOf(event).from.every(isOpenState)).toBe(true)
      expect([event, isTerminalEvent(event)]).toEqual([event, !isOpenState(transitionOf(event).to)])
    }
    const ends = EVENTS.map((event) => transitionOf(event).to).filter((state) => !isOpenState(state))
    expect(ends.toSorted()).toEqual([...ENDED_STATES].toSorted())
  })

  test('throws for an event that is none of it', () => {
    expect(() => transitionOf('received' as ChangeEvent)).toThrow('the state table has no event received')
    expect(() => transitionOf('toString' as ChangeEvent)).toThrow('the state table has no event toString')
  })
})
