import { describe, expect, test } from '@jest/globals'
import { withSignsOfLife } from '../../src/run/liveness.js'

describe('withSignsOfLife', () => {
  test('tells that the work goes on until it ends, and gives what it came to', async () => {
    let told = 0
    let end = (_value: string) => {}
    const work = new Promise<string>((resolve) => {
      end = resolve
    })
    const result = await withSignsOfLife(
      work,
      () => {
        told += 1
        if (told === 3) end('done')
      },
      5,
    )
    expect({ result, told }).toEqual({ result: 'done', told: 3 })
  })

  test('hands a failure on', async () => {
    await expect(withSignsOfLife(Promise.reject(new Error('broken')), () => undefined)).rejects.toThrow('broken')
  })
})
