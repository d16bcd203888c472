import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ResearchProgress } from '../../src/research/progress.js'

describe('ResearchProgress', () => {
  test('rises strictly, whatever it is told', () => {
    const update = fc.tuple(fc.boolean(), fc.double({ min: 0, max: 99, noNaN: true }))
    fc.assert(
      fc.property(fc.array(update, { maxLength: 50 }), (updates) => {
        const values: number[] = []
        const progress = new ResearchProgress(({ progress: value }) => values.push(value))
        for (const [isStep, percent] of updates) {
          if (isStep) progress.step(percent, 'step')
          else progress.advance(percent, 'further')
        }
        for (const [index, value] of values.entries()) expect(value).toBeGreaterThan(values[index - 1] ?? 0)
      }),
    )
  })

  test('tells every step and whole percents of an advance', () => {
    const messages: string[] = []
    const progress = new ResearchProgress(({ message }) => messages.push(message))
    progress.step(5, 'a')
    progress.advance(5.5, 'b')
    progress.advance(6, 'c')
    progress.step(6, 'd')
    expect(messages).toEqual(['a', 'c', 'd'])
  })
})
