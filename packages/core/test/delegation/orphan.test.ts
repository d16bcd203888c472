import { describe, expect, test } from '@jest/globals'
import { orphanReason } from '../../src/delegation/orphan.js'
import { recordOf } from './records.js'

const ended = (state: 'cancelled' | 'completed' | 'failed' | 'unknown') =>
  recordOf({ callId: 'parent', state, endedAtMs: 2000 })
const made = recordOf({ callId: 'child', parentCallId: 'parent', parentAttempt: 1 })
const named = recordOf({ callId: 'child', parentCallId: 'parent', createdAtMs: 2000 })

describe('an open call', () => {
  test.each(['cancelled', 'completed', 'failed', 'unknown'] as const)(
    'that an agent made does not outlive the call it was made for: %s',
    (state) => {
      expect(orphanReason(made, ended(state))).toBe(`the call parent that it was made for is ${state}`)
    },
  )

  test.each(['queued', 'running'] as const)('goes on while its parent does, in whichever attempt: %s', (state) => {
    expect(orphanReason(made, recordOf({ callId: 'parent', state, attempt: 3 }))).toBeUndefined()
  })

  test('that only names a parent is reached by its cancel, unless it came later', () => {
    expect(orphanReason(named, ended('cancelled'))).toContain('is cancelled')
    expect(orphanReason({ ...named, createdAtMs: 2001 }, ended('cancelled'))).toBeUndefined()
    for (const state of ['completed', 'failed', 'unknown'] as const) {
      expect(orphanReason(named, ended(state))).toBeUndefined()
    }
  })
})
