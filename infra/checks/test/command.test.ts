import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../..', import.meta.url))

function runWith(name: string, option: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`infra/${name}/${name}.mjs`, option], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe.each(['bench', 'chaos', 'soak', 'conformance'])('npm run %s', (name) => {
  test('prints what can be given and does nothing when asked for help', () => {
    const { status, stdout, stderr } = runWith(name, '--help')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`npm run ${name} -- [options]`)
  })

  test('refuses an option that it does not have, says what can be given, and does nothing', () => {
    const { status, stdout, stderr } = runWith(name, '--speed')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Unknown option '--speed'/)
    expect(stderr).toContain('--help')
  })
})
