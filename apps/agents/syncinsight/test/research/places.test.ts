import { describe, expect, test } from '@jest/globals'
import { ResearchPlaces } from '../../src/research/places.js'

const signal = new AbortController().signal
const quiet = () => undefined

/** A research that ends when it is told to. */
function openResearch() {
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { run: async () => ended, finish: () => finish() }
}

describe('ResearchPlaces', () => {
  test('lets so many work at a time, tells the next that it waits, and starts it when one ends', async () => {
    const places = new ResearchPlaces(1, 1)
    const research = openResearch()
    const first = places.run(research.run, signal, () => {
      throw new Error('there was a place')
    })
    let isStarted = false
    let told = 0
    let wasStartedEarly = false
    const second = places.run(
      async () => {
        isStarted = true
      },
      signal,
      () => {
        told += 1
        wasStartedEarly ||= isStarted
        if (told === 3) research.finish()
      },
    )
    await Promise.all([first, second])
    expect(isStarted).toBe(true)
    expect(told).toBe(3)
    expect(wasStartedEarly).toBe(false)
  })

  test('lets one that waits be cancelled at once, and never starts it', async () => {
    const places = new ResearchPlaces(1)
    const research = openResearch()
    const first = places.run(research.run, signal, quiet)
    const controller = new AbortController()
    let isStarted = false
    const second = places.run(
      async () => {
        isStarted = true
      },
      controller.signal,
      quiet,
    )
    controller.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    research.finish()
    await first
    await places.run(async () => undefined, signal, quiet)
    expect(isStarted).toBe(false)
  })
})
