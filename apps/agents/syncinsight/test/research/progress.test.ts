import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ResearchProgress } from '../../src/research/progress.js'

describe('ResearchProgress', () => {
  test('rises strictly, whatever it is told', () => {
    const kind = fc.constantFrom('step', 'advance', 'stillAt')
    const update = fc.tuple(kind, fc.double({ min: 0, max: 98, noNaN: true }))
    fc.assert(
      fc.property(fc.array(update, { maxLength: 50 }), (updates) => {
        const values: number[] = []
        const progress = new ResearchProgress(({ progress: value }) => values.push(value))
        for (const [call, percent] of updates) {
          // A sign of life aims at the end of its stage, which lies ahead.
          progress[call](call === 'stillAt' ? Math.max(99, percent) : percent, call)
        }
        for (const [index, value] of values.entries()) expect(value).toBeGreaterThan(values[index - 1] ?? 0)
      }),
    )
  })

  test('creeps towards the end of a stage for an hour without getting there', () => {
    const values: number[] = []
    const progress = new ResearchProgress(({ progress: value }) => values.push(value))
    progress.step(88, 'asked')
    for (let sign = 0; sign < 360; sign += 1) progress.stillAt(95, 'still waiting')
    for (const [index, value] of values.entries()) expect(value).toBeGreaterThan(values[index - 1] ?? 0)
    expect(values.at(-1)).toBeLessThan(95)
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
