import { describe, expect, test } from '@jest/globals'
import { Pace } from '../../src/pace/pace.js'
import { withSignsOfLife } from '../../src/pace/signs-of-life.js'
import { untilAborted } from '../../src/pace/until-aborted.js'

describe('Pace', () => {
  test('gives others a turn while it works without a pause', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    const pace = new Pace(new AbortController().signal)
    while (turns < 3) await pace.breathe()
    clearInterval(timer)
    expect(turns).toBe(3)
  })

  test('stops with the reason of the cancel', async () => {
    const pace = new Pace(AbortSignal.abort(new Error('enough')))
    await expect(pace.breathe()).rejects.toThrow('enough')
  })
})

describe('withSignsOfLife', () => {
  test('tells that work goes on until it ends, however it ends', async () => {
    let finish: (result: string) => void = () => undefined
    let told = 0
    const work = new Promise<string>((resolve) => {
      finish = resolve
    })
    const result = withSignsOfLife(work, () => (++told === 3 ? finish('done') : undefined), 1)
    expect(await result).toBe('done')
    expect(told).toBe(3)
    await expect(withSignsOfLife(Promise.reject(new Error('no')), () => undefined, 1)).rejects.toThrow('no')
  })
})

describe('untilAborted', () => {
  test('waits no longer than until the abort, and takes its listener away', async () => {
    const controller = new AbortController()
    const stuck = untilAborted(new Promise(() => undefined), controller.signal)
    controller.abort(new Error('enough'))
    await expect(stuck).rejects.toThrow('enough')
    await expect(untilAborted(new Promise(() => undefined), controller.signal)).rejects.toThrow('enough')
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
  })
})
