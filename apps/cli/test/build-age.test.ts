import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'

const BIN = fileURLToPath(new URL('../synchub.mjs', import.meta.url))
const BUILT_S = 1_800_000_000

let root: string

/** A project with a command that prints `ran`, built at {@link BUILT_S} of older sources. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'synchub-build-age-'))
  const manifest = { type: 'module', dependencies: { '@synchub/protocol': '0.1.0', commander: '14' } }
  const files = {
    'apps/cli/package.json': JSON.stringify(manifest),
    'apps/cli/dist/main.js': 'console.log("ran")',
    'apps/cli/dist/.tsbuildinfo': '',
    'apps/cli/src/main.ts': '',
    'packages/protocol/dist/.tsbuildinfo': '',
    'packages/protocol/src/json/frame.ts': '',
    'node_modules/.synchub-build': '',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  await copyFile(BIN, join(root, 'apps/cli/synchub.mjs'))
  for (const folder of ['apps/cli/src', 'packages/protocol/src', 'packages/protocol/src/json']) await age(folder, -60)
  for (const file of ['apps/cli/dist/.tsbuildinfo', 'packages/protocol/dist/.tsbuildinfo']) await age(file, 0)
  await age('node_modules/.synchub-build', 0)
})

afterEach(() => rm(root, { recursive: true, force: true }))

/** Sets when something was changed, in s after the build. */
const age = (name: string, afterS: number) => utimes(join(root, name), BUILT_S + afterS, BUILT_S + afterS)

const run = () => promisify(execFile)(process.execPath, [join(root, 'apps/cli/synchub.mjs')])

describe('the command after a pull', () => {
  test('ran the old build without a word: it says so in one line, and runs', async () => {
    expect(await run()).toEqual({ stdout: 'ran\n', stderr: '' })
    await age('packages/protocol/src/json', 60)
    const { stdout, stderr } = await run()
    expect(stdout).toBe('ran\n')
    expect(stderr).toMatch(/^synchub: the command is older than its sources; run `npm run build` .*\n$/)
  })

  test.each(['node_modules/.synchub-build', 'packages/protocol/dist/.tsbuildinfo'])(
    'says nothing more once %s is newer',
    async (built) => {
      await age('packages/protocol/src/json', 60)
      await age(built, 90)
      expect((await run()).stderr).toBe('')
    },
  )

  test('says nothing where it is installed without sources', async () => {
    await rm(join(root, 'packages/protocol/src'), { recursive: true })
    expect((await run()).stderr).toBe('')
  })
})
