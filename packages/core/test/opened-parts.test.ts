import { describe, expect, test } from '@jest/globals'
import { type OpenedParts, openInOrder } from '../src/index.js'

/** Opens three parts, of which the second cannot be closed. */
async function openThree(parts: OpenedParts, ended: string[]): Promise<OpenedParts> {
  parts.add(() => void ended.push('first'))
  parts.add(async () => {
    ended.push('second')
    throw new Error('second hangs')
  })
  parts.add(async () => {
    await Promise.resolve()
    ended.push('third')
  })
  return parts
}

const ignore = () => undefined

describe('parts that are opened in order', () => {
  test('are closed in reverse order, all of them where one cannot be, and only once', async () => {
    const ended: string[] = []
    const parts = await openInOrder((opening) => openThree(opening, ended), ignore)
    expect(ended).toEqual([])
    const closed = [parts.close(), parts.close()]
    for (const end of closed) await expect(end).rejects.toThrow('second hangs')
    expect(ended).toEqual(['third', 'second', 'first'])
  })

  test('are closed when a later one cannot be opened, which is what the opener is told', async () => {
    const ended: string[] = []
    const failures: unknown[] = []
    const opened = openInOrder(
      async (parts) => {
        await openThree(parts, ended)
        throw new Error('fourth is missing')
      },
      (thrown) => failures.push(thrown),
    )
    await expect(opened).rejects.toThrow('fourth is missing')
    expect(ended).toEqual(['third', 'second', 'first'])
    expect(failures.map(String)).toEqual([expect.stringContaining('second hangs')])
  })
})
