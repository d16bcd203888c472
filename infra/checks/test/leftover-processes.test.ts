import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { endLeftovers, RUN_MARK } from '../run/leftover-processes.mjs'

describe('the processes that a run of checks leaves behind', () => {
  test('are found by the mark of the run, named and ended', async () => {
    const mark = randomUUID()
    const child = spawn('sleep', ['60'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, [RUN_MARK]: mark },
    })
    const ended = once(child, 'exit')
    const leftovers = await endLeftovers(mark, 100)
    // Only Linux shows the environment of others; elsewhere the run cannot know.
    if (process.platform !== 'linux') child.kill()
    await ended
    expect(leftovers).toEqual(process.platform === 'linux' ? [`${child.pid} sleep 60`] : [])
  })

  test('are none when every process has ended', async () => {
    expect(await endLeftovers('a-run-that-never-was')).toEqual([])
  })
})
