import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { sharesOf } from '../processors.mjs'
import { slopeOf } from '../slope.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synchub-short-soak-'))

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('npm run soak, in its short form, answers every call, tells what it saw and leaves nothing behind', async () => {
  const env = { ...process.env, TMPDIR: scratch }
  const { stdout } = await promisify(execFile)(process.execPath, ['infra/soak/soak.mjs', '--short'], { cwd: root, env })
  expect(stdout).toMatch(/capacity \d+ calls\/s/)
  expect(stdout.match(/^ +\d+\.\d( +[\d.]+){15}$/gm)).toHaveLength(6)
  expect(stdout).toMatch(/^\d of 6 lines, in which others had at most 15 % of the machine/m)
  expect(stdout).toMatch(/\d+ traces were watched from their beginning to their end: \d+ events/)
  for (const name of ['hub rss', 'dispatcher handles', 'redis memory']) expect(stdout).toContain(`| ${name} |`)
  expect(stdout).toContain('\n0 calls failed\n')
  expect(readdirSync(scratch)).toEqual([])
}, 120_000)

test('slow watchers are cut, cost a bounded amount and slow nobody; dead ones leave nothing behind', async () => {
  const env = { ...process.env, TMPDIR: scratch }
  const args = ['infra/soak/soak.mjs', '--watchers', '--short']
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env })
  // What is not as it should be is read below, in its own words.
  const { stdout } = await run.catch((thrown: { readonly stdout: string }) => thrown)
  expect(stdout.match(/, at most \d+ .*$/gm)).toHaveLength(10)
  expect(stdout.match(/^.*NOT OK$/gm) ?? []).toEqual([])
}, 180_000)

test('the slope is that of the line which fits best', () => {
  expect(slopeOf([1, 2, 3, 4].map((x) => ({ x, y: 5 + 2 * x })))).toBeCloseTo(2)
  expect(slopeOf([1, 2, 3, 4].map((x) => ({ x, y: x % 2 })))).toBeCloseTo(-0.2)
  expect(slopeOf([{ x: 1, y: 1 }])).toBe(0)
})

test('what others have of the machine is what its processors did beyond the processes of the soak', () => {
  const before = { ownMicros: 10, busyMicros: 100, allMicros: 1000 }
  const after = { ownMicros: 410, busyMicros: 600, allMicros: 2000 }
  expect(sharesOf(before, after)).toEqual({ ownPercent: 40, otherPercent: 10 })
  expect(sharesOf(before, { ...after, busyMicros: 450 })).toEqual({ ownPercent: 40, otherPercent: 0 })
})
