import { describe, expect, test } from '@jest/globals'
import { runProgram } from './chaos-run.js'

describe('npm run chaos, in its short form', () => {
  test('loses nothing and doubles nothing where a dispatcher, an agent and Redis are killed', async () => {
    const run = await runProgram('chaos.mjs', ['--calls', '60', '--kills', '3', '--seed', '126'])
    expect(run.lines.join('\n')).toContain('60 calls, 3 kills, 0 lost, 0 doubled')
    expect(run.lines.filter((line) => line.startsWith('BROKEN'))).toEqual([])
    expect(run.exitCode).toBe(0)
    expect(run.leftBehind).toEqual([])
  }, 120_000)

  test('says what is wrong with its command line', async () => {
    const run = await runProgram('chaos.mjs', ['--kills', 'many'])
    expect(run.exitCode).toBe(1)
  })
})
