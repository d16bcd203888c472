import { describe, expect, test } from '@jest/globals'
import { RunningCalls } from '../../src/index.js'
import { FakeClock } from '../fake-clock.js'

describe('RunningCalls', () => {
  test('stops a run whose cancel was told before the run began here', async () => {
    const running = new RunningCalls<string>()
    running.supersede('early')
    const seen = await running.track('early', async ({ superseded }) => String(superseded.aborted))
    expect(seen).toBe('true')
    expect(await running.track('other', async ({ superseded }) => String(superseded.aborted))).toBe('false')
  })

  test('ends what goes on behind runs when the process stops, and the oldest of it when there is too much', async () => {
    const running = new RunningCalls<string>()
    const given: string[] = []
    for (let at = 0; at < 101; at++) {
      await running.track(`call-${at}`, async ({ afterwards }) => {
        afterwards((stopping) => {
          return new Promise((resolve) => {
            stopping.addEventListener('abort', () => {
              given.push(`call-${at}`)
              resolve()
            })
          })
        })
        return 'done'
      })
    }
    expect(given).toEqual(['call-0'])
    await running.drain(new FakeClock(), 1000)
    expect(given).toHaveLength(101)
  })
})
