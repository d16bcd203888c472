import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { gatherTurn } from '../../src/index/turn-gathering.js'

describe('gatherTurn', () => {
  test('writes what came in one turn at once, and what comes later in a write of its own', async () => {
    const writes: (readonly number[])[] = []
    const add = gatherTurn<number>(async (items) => void writes.push([...items]))
    await Promise.all([add(1), add(2)])
    await nextTurn()
    await add(3)
    expect(writes).toEqual([[1, 2], [3]])
  })

  test('takes what comes while a write is under way into the next one', async () => {
    const writes: (readonly number[])[] = []
    let finish = () => {}
    const slow = new Promise<void>((resolve) => {
      finish = resolve
    })
    const add = gatherTurn<number>(async (items) => {
      writes.push([...items])
      if (writes.length === 1) await slow
    })
    const first = add(1)
    await nextTurn()
    await nextTurn()
    await add(2)
    finish()
    await first
    expect(writes).toEqual([[1], [2]])
  })

  test('fails for all whose write failed, and for nobody after', async () => {
    let fails = true
    const add = gatherTurn<number>(async () => {
      if (fails) throw new Error('away')
    })
    const ends = await Promise.allSettled([add(1), add(2)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    await expect(add(3)).resolves.toBeUndefined()
  })
})
