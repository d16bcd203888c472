import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Neither formatted nor without faults, as programs are that somebody only tries. */
const PROGRAM = 'const  unused = 1; debugger\n'

let clone: string

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'synchub-reader-'))
  mkdirSync(join(clone, 'infra/checks'), { recursive: true })
  for (const path of ['.gitignore', 'infra/checks/format.json', 'infra/checks/oxlint.jsonc']) {
    cpSync(join(root, path), join(clone, path))
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  spawnSync('git', ['init', '--quiet', clone])
  writeFileSync(join(clone, 'greeter.mjs'), PROGRAM)
  writeFileSync(join(clone, 'infra/ours.mjs'), PROGRAM)
})

afterAll(() => rmSync(clone, { recursive: true, force: true }))

test.each([
  ['format', '@biomejs/biome/bin/biome', ['check', '--config-path=infra/checks/format.json', '.']],
  ['lint', 'oxlint/bin/oxlint', ['-c', 'infra/checks/oxlint.jsonc', '--deny-warnings']],
])('npm test refused a program that README.md lets its reader put into this folder: %s', (_name, program, args) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: clone,
    encoding: 'utf8',
  })
  expect(stdout + stderr).toContain('infra/ours.mjs')
  expect(stdout + stderr).not.toContain('greeter.mjs')
})
