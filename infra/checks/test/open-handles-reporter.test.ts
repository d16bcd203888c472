import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'

const jest = fileURLToPath(import.meta.resolve('jest/bin/jest'))
const reporter = fileURLToPath(new URL('../jest/open-handles-reporter.mjs', import.meta.url))

let folder: string | undefined

afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

/** Runs jest over files of these texts, all in its own process. */
async function runFiles(
  texts: Record<string, string>,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  folder = mkdtempSync(join(tmpdir(), 'synchub-open-handles-'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, `${name}.test.js`), text)
  const config = JSON.stringify({
    rootDir: folder,
    reporters: ['default', [reporter, { goingPatienceMs: 300, endPatienceMs: 300 }]],
    cacheDirectory: join(folder, 'cache'),
  })
  writeFileSync(join(folder, 'jest.config.json'), config)
  return new Promise((resolve) => {
    const args = [jest, '--config', join(folder ?? '', 'jest.config.json'), '--runInBand']
    execFile(process.execPath, args, { timeout: 25_000, killSignal: 'SIGKILL' }, (failure, stdout, stderr) =>
      resolve({ exitCode: failure === null ? 0 : Number(failure.code), output: stdout + stderr }),
    )
  })
}

const TIDY = 'test("is tidy", () => new Promise((resolve) => setTimeout(resolve, 10)))'
const UNTIDY = 'test("is not", () => void setInterval(() => {}, 1000))'
const FAILING = 'test("fails", () => { throw new Error("no") })'

describe('a run whose files share the process of jest', () => {
  test('ends though a file left something open, and says which file that was', async () => {
    const { exitCode, output } = await runFiles({ tidy: TIDY, untidy: UNTIDY })
    expect(output).toContain('! untidy.test.js leaves open: 1 Timeout')
    expect(output).toContain('since it does not end by itself; open: ')
    expect(output).not.toMatch(/(?<!un)tidy\.test\.js leaves/)
    expect(exitCode).toBe(0)
  })

  test('ends as failed where a test failed', async () => {
    const { exitCode, output } = await runFiles({ failing: FAILING, untidy: UNTIDY })
    expect(output).toContain('is ended')
    expect(exitCode).toBe(1)
  })

  test('says nothing of files that leave nothing open', async () => {
    const { exitCode, output } = await runFiles({ tidy: TIDY })
    expect(output).not.toMatch(/^!/m)
    expect(exitCode).toBe(0)
  })
})
