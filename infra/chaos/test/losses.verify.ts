import { describe, expect, test } from '@jest/globals'
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
  test('lacks what was acknowledged meanwhile', async () => {
    const found = await lose('fail-over')
    expect(found).toMatchObject({ refused: 0, rulesBroken: 0 })
    expect(found.acknowledgedLost).toBeGreaterThan(0)
  }, 120_000)

  test('lacks little where the primary takes writes only while it keeps up, and calls are refused for the rest', async () => {
    const found = await lose('fail-over-with-min-replicas')
    expect(found.rulesBroken).toBe(0)
    expect(found.refused).toBeGreaterThan(0)
    expect(found.acknowledgedLost).toBeLessThan(Number(found.acknowledged) + Number(found.refused))
  }, 120_000)
})
