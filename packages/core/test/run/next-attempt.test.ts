import { describe, expect, test } from '@jest/globals'
import { parseConfig } from '../../src/index.js'
import { nextAttempt } from '../../src/run/next-attempt.js'
import { recordOf } from '../delegation/records.js'
import { FakeClock } from '../fake-clock.js'

const config = parseConfig({ text: '{"agents":{}}', file: 'test.json', environment: {} })
const ports = { config, clock: new FakeClock() }

describe('the next attempt of a call', () => {
  test('has a fence of its own, written with its opening, whatever number it has', () => {
    const call = recordOf({ state: 'queued', attempt: 1, fence: 'earlier' })
    const openings = [nextAttempt(call, ports), nextAttempt(call, ports)]
    const fences = openings.map(({ opening }) => opening.set?.fence)
    expect(new Set([...fences, undefined, 'earlier']).size).toBe(4)
    expect(openings.map((next) => next.open())).toMatchObject(fences.map((fence) => ({ attempt: 2, fence })))
  })
})
