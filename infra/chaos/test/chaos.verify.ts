import { describe, expect, test } from '@jest/globals'
import { runProgram } from './chaos-run.js'

describe('npm run chaos', () => {
  test('loses nothing and doubles nothing of 1,000 calls under 21 kills', async () => {
    const run = await runProgram('chaos.mjs', ['--calls', '1000', '--kills', '21'])
    expect(run.lines.join('\n')).not.toContain('BROKEN')
    expect(run.lines.at(-1)).toBe('1000 calls, 21 kills, 0 lost, 0 doubled')
    expect(run.exitCode).toBe(0)
  }, 300_000)
})
