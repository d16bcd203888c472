import { afterAll, describe, expect, test } from '@jest/globals'
import { openRaceGround } from './cancel-race.js'
import { closeAll } from './cleanup.js'

afterAll(closeAll)

describe('500 cancels by another hub that race with the answer', () => {
  test.each(['short', 'long'] as const)(
    'leave one end each, and everybody tells of the same: %s',
    async (tool) => {
      const { race } = await openRaceGround()
      const { cancelled } = await race(tool, 500)
      // Both must win at times, or nothing raced.
      expect(cancelled).toBeGreaterThan(0)
      expect(cancelled).toBeLessThan(500)
    },
    120_000,
  )
})
