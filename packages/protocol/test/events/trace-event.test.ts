import { describe, expect, test } from '@jest/globals'
import { EVENT_NAMES, isTerminalEvent } from '../../src/index.js'

describe('trace events', () => {
  test('are these, and five of them end a call', () => {
    expect([...EVENT_NAMES]).toEqual([
      'received',
      'accepted',
      'started',
      'progress',
      'retrying',
      'handed_back',
      'input_requested',
      'input_received',
      'complete',
      'failed',
      'refused',
      'cancelled',
      'unknown',
      'resolved',
    ])
    expect(EVENT_NAMES.filter(isTerminalEvent)).toEqual(['complete', 'failed', 'refused', 'cancelled', 'unknown'])
  })

  test('of another name end nothing', () => {
    for (const name of ['completed', 'end', 'reset', '', 'toString']) expect(isTerminalEvent(name)).toBe(false)
  })
})
