import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { makeScratchClone, type ScratchClone } from './fixtures/scratch-clone.js'

/** Stands in for the bundler: makes a page, and notes that it was called. */
const BUNDLER = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
appendFileSync('bundles', process.argv.slice(2).join(' ') + '\\n')
mkdirSync('apps/dashboard/dist/site', { recursive: true })
writeFileSync('apps/dashboard/dist/site/index.html', 'page ' + process.hrtime.bigint())
`

let clone: ScratchClone

beforeEach(async () => {
  clone = await makeScratchClone()
  await clone.write('apps/dashboard/tsconfig.json', '{}')
  await clone.write('apps/dashboard/vite.config.mjs', '')
  await clone.write('apps/dashboard/src/main.tsx', 'one')
  await clone.write('packages/core/tsconfig.json', '{}')
  await clone.write('packages/client/tsconfig.json', '{}')
  await clone.write('node_modules/vite/bin/vite.js', BUNDLER)
  await clone.launch().end()
})

afterEach(async () => {
  await clone.remove()
})

const countBundles = async () => (await readFile(join(clone.path, 'bundles'), 'utf8')).trim().split('\n').length

describe('the pages of the dashboard', () => {
  test('are bundled by the first start and by no other', async () => {
    expect(await countBundles()).toBe(1)
    const { output, exitCode } = await clone.launch().end()
    expect(output).toContain('[2/3] build: up to date\n')
    expect(await countBundles()).toBe(1)
    expect(exitCode).toBe(0)
  })

  test.each(['apps/dashboard/src/main.tsx', 'apps/dashboard/index.html', 'packages/client/src/client.ts'])(
    'are bundled again when %s has changed',
    async (file) => {
      await clone.write(file, 'another text')
      await clone.launch().end()
      expect(await countBundles()).toBe(2)
    },
  )

  test('are left alone when something else is compiled', async () => {
    await clone.write('packages/core/src/index.ts', 'export const a = 1')
    expect((await clone.launch().end()).output).toContain('[2/3] build: compiling what changed\n')
    expect(await countBundles()).toBe(1)
  })

  test('are bundled again when they were taken away', async () => {
    await rm(join(clone.path, 'apps/dashboard/dist'), { recursive: true })
    await clone.launch().end()
    expect(await countBundles()).toBe(2)
  })

  test('stop the start when they cannot be bundled, in the bundler’s words', async () => {
    await clone.write('node_modules/vite/bin/vite.js', "console.error('cannot resolve x'); process.exitCode = 1")
    await clone.write('apps/dashboard/src/main.tsx', 'two')
    const { output, exitCode } = await clone.launch().end()
    expect(output).toContain('Build: the dashboard cannot be bundled:\ncannot resolve x')
    expect(exitCode).toBe(1)
  })
})
