import { describe, expect, test } from '@jest/globals'
import { ENDED_STATES, isOpenState, OPEN_STATES, TRACE_STATE_ORDER } from '../../src/index.js'

describe('call states', () => {
  test('are open or ended, never both', () => {
    expect([...OPEN_STATES]).toEqual(['received', 'queued', 'running', 'awaiting_input'])
    expect([...ENDED_STATES]).toEqual(['completed', 'failed', 'refused', 'cancelled', 'unknown'])
    expect(OPEN_STATES.map(isOpenState)).toEqual([true, true, true, true])
    expect(ENDED_STATES.map(isOpenState)).toEqual([false, false, false, false, false])
  })

  test('rank every ending for a trace, worst first', () => {
    expect(TRACE_STATE_ORDER).toEqual(['unknown', 'failed', 'cancelled', 'refused', 'completed'])
    expect(TRACE_STATE_ORDER.toSorted()).toEqual(ENDED_STATES.toSorted())
  })
})
