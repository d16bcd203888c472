import { describe, expect, test } from '@jest/globals'
import {
  ENDED_STATES,
  isBadEnding,
  isOpenState,
  OPEN_STATES,
  shownStateOf,
  TRACE_STATE_ORDER,
  TRACE_STATES,
} from '../../src/index.js'

describe('call states', () => {
  test('are open or ended, never both', () => {
    expect([...OPEN_STATES]).toEqual(['received', 'queued', 'running', 'awaiting_input'])
    expect([...ENDED_STATES]).toEqual(['completed', 'failed', 'refused', 'cancelled', 'unknown'])
    expect(OPEN_STATES.map(isOpenState)).toEqual([true, true, true, true])
    expect(ENDED_STATES.map(isOpenState)).toEqual([false, false, false, false, false])
  })

  test('rank every ending for a trace, worst first', () => {
    expect(TRACE_STATE_ORDER).toEqual(['unknown', 'failed', 'tool_failed', 'cancelled', 'refused', 'completed'])
    expect(TRACE_STATE_ORDER.toSorted()).toEqual([...ENDED_STATES, 'tool_failed'].toSorted())
    expect(TRACE_STATES.filter((state) => !isBadEnding(state))).toEqual(['running', 'completed', 'cancelled'])
  })

  test('show a tool that answered that it failed as no success', () => {
    expect(shownStateOf({ state: 'completed', isError: true })).toBe('tool_failed')
    expect(shownStateOf({ state: 'completed', isError: false })).toBe('completed')
    expect(shownStateOf({ state: 'failed' })).toBe('failed')
  })
})
