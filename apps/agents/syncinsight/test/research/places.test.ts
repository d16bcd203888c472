import { describe, expect, test } from '@jest/globals'
import { ResearchPlaces } from '../../src/research/places.js'

const signal = new AbortController().signal

describe('ResearchPlaces', () => {
  test('lets so many work at a time, and the next when one ends', async () => {
    const places = new ResearchPlaces(1)
    let finish: (value: string) => void = () => undefined
    const first = places.run(
      async () =>
        new Promise<string>((resolve) => {
          finish = resolve
        }),
      signal,
    )
    const started: string[] = []
    const second = places.run(async () => started.push('second'), signal)
    await new Promise((resolve) => setImmediate(resolve))
    expect(places.isFull).toBe(true)
    expect(started).toEqual([])
    finish('done')
    expect(await first).toBe('done')
    await second
    expect(started).toEqual(['second'])
    expect(places.isFull).toBe(false)
  })

  test('lets one that waits be cancelled at once, and never starts it', async () => {
    const places = new ResearchPlaces(1)
    let finish: () => void = () => undefined
    const first = places.run(
      async () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
      signal,
    )
    const controller = new AbortController()
    let isStarted = false
    const second = places.run(async () => {
      isStarted = true
    }, controller.signal)
    controller.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    finish()
    await first
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStarted).toBe(false)
  })
})
