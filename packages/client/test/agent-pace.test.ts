import { describe, expect, test } from '@jest/globals'
import { paceOf } from '../src/traces/agent-pace.js'

describe('the pace of an agent', () => {
  test('counts what began, runs and failed, and measures what ended', () => {
    const nowMs = 1_800_000_000_000
    const trace = (agoMs: number, tookMs: number, state: string) => ({
      state,
      createdAt: new Date(nowMs - agoMs).toISOString(),
      updatedAt: new Date(nowMs - agoMs + tookMs).toISOString(),
    })
    const traces = [
      trace(1000, 0, 'running'),
      trace(60_000, 500, 'completed'),
      trace(200_000, 100, 'completed'),
      trace(9_000_000, 900, 'failed'),
    ]
    const pace = paceOf(traces as never, nowMs)
    expect(pace).toMatchObject({
      running: 1,
      failed: 1,
      measured: 4,
      durationsMs: [900, 100, 500],
      medianMs: 500,
      slowMs: 900,
    })
    expect(pace.perStretch.reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(pace.perStretch.at(-1)).toBe(2)
  })
})
