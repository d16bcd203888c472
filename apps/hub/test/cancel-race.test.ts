import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openRaceGround, type RaceGround } from './cancel-race.js'
import { closeAll } from './cleanup.js'

let ground: RaceGround

beforeAll(async () => {
  ground = await openRaceGround()
})
afterAll(closeAll)

describe('a cancel by another hub that races with the answer', () => {
  test.each(['short', 'long'] as const)('leaves one end, and everybody tells of the same: %s', async (tool) => {
    const { cancelled } = await ground.race(tool, 10)
    expect(cancelled).toBeLessThanOrEqual(10)
  })
})
