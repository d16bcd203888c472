import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { ProgressUpdate } from '@synchub/agent-sdk'
import type { ProgressData } from '@synchub/protocol'
import { PlanProgress } from '../../src/run/plan-progress.js'
import type { RunningStep } from '../../src/run/running-step.js'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function progressOf(total: number, signOfLifeMs?: number) {
  const told: ProgressUpdate[] = []
  const output = new PassThrough({ objectMode: true })
  const progress = new PlanProgress(
    total,
    (update) => {
      told.push(update)
      output.emit('told', update)
    },
    signOfLifeMs,
  )
  closers.push(() => progress.close())
  return { progress, told, output }
}

const running = (id: string, told?: Partial<ProgressData>): RunningStep => ({
  step: { id, tool: 'tool', arguments: {}, dependsOn: [], onFailure: 'continue' },
  ...(told === undefined ? {} : { progress: { progress: 0, ...told } as ProgressData }),
})

describe('the progress of a plan', () => {
  test('rises by one for each step that has ended, and names what runs with what its agent told', () => {
    const { progress, told } = progressOf(3)
    progress.change([], [running('a'), running('b', { progress: 1, total: 4, message: 'reads\n\u001b[31mall' })])
    progress.change(
      [{ id: 'a', tool: 'tool', state: 'completed', durationMs: 7 }],
      [running('b', { message: 'x'.repeat(500) })],
    )
    progress.change(
      [
        { id: 'b', tool: 'tool', state: 'tool_failed', durationMs: 9 },
        { id: 'c', tool: 'tool', state: 'skipped', skippedBecause: ['b'] },
      ],
      [],
    )
    expect(told).toEqual([
      { progress: 0, total: 3, message: '3 steps; running: a, b (25% reads [31mall)' },
      { progress: 1, total: 3, message: `a completed after 7 ms; running: b (${'x'.repeat(120)})` },
      { progress: 2, total: 3, message: 'b tool failed after 9 ms' },
      { progress: 3, total: 3, message: 'c skipped because of b' },
    ])
  })

  test('names only so many steps', () => {
    const { progress, told } = progressOf(20)
    progress.change(
      [],
      Array.from({ length: 10 }, (_, at) => running(`s${at}`)),
    )
    expect(told[0]?.message).toMatch(/s7 and 2 more$/)
  })

  test('shows that the plan lives while no step ends', async () => {
    const { progress, output } = progressOf(1, 5)
    progress.change([], [running('a')])
    expect(await once(output, 'told')).toEqual([{ progress: 0, total: 1, message: 'the plan goes on; running: a' }])
  })
})
