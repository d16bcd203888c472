import { beforeAll, describe, expect, test } from '@jest/globals'
import { runProgram } from './chaos-run.js'

/** What one way to lose came to. */
async function lose(way: string): Promise<Record<string, unknown>> {
  const { exitCode, lines } = await runProgram('losses/losses.mjs', [way])
  expect(exitCode).toBe(0)
  return JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>
}

describe('a Redis whose append-only file lost its last second', () => {
  test('has lost calls as a whole, resets whoever was ahead, gives no id twice and serves repeats', async () => {
    const found = await lose('cut-tail')
    expect(found).toMatchObject({
      halfRecorded: 0,
      watchersAheadWithoutReset: 0,
      watchersNotAtTheEnd: 0,
      idsGivenTwice: 0,
      repeatsAnsweredWrongly: 0,
      rulesBroken: 0,
    })
    // The cut has cost something, or it shows nothing.
    expect(found.callsLost).toBeGreaterThan(0)
    expect(found.watchersAhead).toBeGreaterThan(0)
  }, 180_000)
})

describe('a replica that takes the place of a primary which it did not hear any more', () => {
  let found: Record<string, unknown>
  let bounded: Record<string, unknown>

  beforeAll(async () => {
    found = await lose('fail-over')
    bounded = await lose('fail-over-with-min-replicas')
  }, 240_000)

  test('lacks what was acknowledged meanwhile', () => {
    expect(found).toMatchObject({ refused: 0, rulesBroken: 0 })
    expect(found.acknowledgedLost).toBeGreaterThan(0)
  })

  test('lacks less where the primary takes writes only while it keeps up, and calls are refused for the rest', () => {
    expect(bounded.rulesBroken).toBe(0)
    expect(bounded.refused).toBeGreaterThan(0)
    expect(Number(bounded.acknowledgedLost)).toBeLessThan(Number(found.acknowledgedLost))
  })
})
