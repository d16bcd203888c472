import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from '@jest/globals'

const module = fileURLToPath(new URL('../jest/test-browser.mjs', import.meta.url))

let folder: string

afterEach(() => rmSync(folder, { recursive: true }))

/** Looks for a browser in a process whose programs are these scripts of a shell alone; `as root` is played too. */
async function provide(programs: Record<string, string>, { mayInstall = true, uid = 0 } = {}) {
  folder = mkdtempSync(join(tmpdir(), 'synchub-test-browser-'))
  for (const [name, script] of Object.entries({ env: 'exec /usr/bin/env "$@"', ...programs })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const script = `
    process.getuid = () => ${uid}
    const { provideTestBrowser } = await import(${JSON.stringify(module)})
    const lines = []
    await provideTestBrowser({ mayInstall: ${mayInstall}, onProgress: (line) => lines.push(line) })
    console.log(JSON.stringify({ program: process.env.SYNCHUB_TEST_CHROMIUM ?? null, lines }))`
  const { SYNCHUB_TEST_CHROMIUM: _given, ...inherited } = process.env
  const env = { ...inherited, PATH: folder }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  return JSON.parse(stdout) as { readonly program: string | null; readonly lines: readonly string[] }
}

const APT = 'case "$*" in *" install "*) : > "$(/usr/bin/dirname "$0")/chromium";; esac'

describe('the browser of the tests', () => {
  test('is the one that this machine has', async () => {
    const { program, lines } = await provide({ 'chromium-browser': '' })
    expect([program, lines]).toEqual([join(folder, 'chromium-browser'), []])
  })

  test('is installed for root where there is none', async () => {
    const { program, lines } = await provide({ 'apt-get': APT })
    expect(program).toBe(join(folder, 'chromium'))
    expect(lines).toEqual([expect.stringContaining('apt-get update'), expect.stringContaining('apt-get install')])
  })

  test.each<[string, { mayInstall?: boolean; uid?: number }]>([
    ['who is not root', { uid: 1000 }],
    ['who names the tests to run', { mayInstall: false }],
  ])('is not installed for one %s', async (_, options) => {
    expect(await provide({ 'apt-get': APT }, options)).toEqual({ program: null, lines: [] })
  })

  test('is none where the installation fails, which is told and ends nothing', async () => {
    const { program, lines } = await provide({ 'apt-get': 'test "$1" = --version || { echo no space >&2; exit 1; }' })
    expect(program).toBeNull()
    expect(lines.at(-1)).toBe('browser: apt-get update failed: no space')
  })

  test('is none where there is no apt', async () => {
    expect(await provide({})).toEqual({ program: null, lines: [] })
  })
})
