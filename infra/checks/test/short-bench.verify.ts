import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const BENCH_TIMEOUT_MS = 10 * 60_000

interface ReportEntry {
  readonly id: string
  readonly ours: number
  readonly peer: number | null
  readonly ratio: number | null
  readonly goal: string
  readonly met: boolean | null
}

/** What stays behind would be here: the bench is given a folder for temporary files of its own. */
const scratch = mkdtempSync(join(tmpdir(), 'synchub-short-bench-'))
const temporary = mkdtempSync(join(scratch, 'tmp-'))
let exitCode: number | null
let report: readonly ReportEntry[]

beforeAll(async () => {
  const file = join(scratch, 'report.json')
  const bench = spawn(process.execPath, ['infra/bench/bench.mjs', '--short', '--json', file], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  ;[exitCode] = (await once(bench, 'exit')) as [number | null]
  report = JSON.parse(readFileSync(file, 'utf8')) as ReportEntry[]
}, BENCH_TIMEOUT_MS)

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('npm run bench, in its short form', () => {
  test('measures every row', () => {
    // A row that could not be measured makes it 1.
    expect(exitCode).toBe(0)
    const rows = new Set(report.map(({ id }) => id.charAt(0)))
    expect([...rows].join(' ')).toBe('a b c d e f g h i j k l')
  })

  test('reports numbers that can be, and ratios that are those of their numbers', () => {
    for (const { ours, peer, ratio, goal, met } of report) {
      expect(Number.isFinite(ours)).toBe(true)
      expect(ours).toBeGreaterThan(0)
      expect(ratio).toBe(peer === null ? null : ours / peer)
      expect(met === null).toBe(goal === 'stated')
    }
  })

  test('sees a lost call come back, however busy the machine', () => {
    expect(report.find(({ id }) => id === 'g')?.ours).toBeLessThan(30)
  })

  test('leaves nothing behind', () => {
    expect(readdirSync(temporary)).toEqual([])
  })
})
