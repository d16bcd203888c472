import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { explainOldNode } from '../../launch/node-version.mjs'
import { LOCK_FILE, makeScratchClone, type ScratchClone } from './fixtures/scratch-clone.js'

/** Stands in for an npm that has much to do, and that ends in good order when told to. */
const SLOW_NPM = `#!/bin/sh
sleep 60 &
trap 'kill $!; echo ended > npm-ended; exit 1' TERM
echo started > npm-started
wait
`

let clone: ScratchClone

beforeEach(async () => {
  clone = await makeScratchClone()
})

afterEach(async () => {
  await clone.remove()
})

async function readNpmCalls(): Promise<string> {
  return readFile(join(clone.path, 'calls'), 'utf8')
}

describe('npm start', () => {
  test('installs, builds and hands over with its arguments, saying what it does', async () => {
    const { exitCode, output } = await clone.launch('--no-demo').end()
    expect(output).toMatch(/^\[1\/3\] packages: installing 1 from the lock file/)
    expect(output).toMatch(/\[1\/3\] packages: installed in \d+ s\n\[2\/3\] build: compiling what changed\n/)
    expect(output).toMatch(/\[2\/3\] build: ready in \d+\.\d s\n\[3\/3\] starting\nmain \["--no-demo"\]\n$/)
    expect(await readNpmCalls()).toBe('npm ci\n')
    expect(exitCode).toBe(0)
  })

  test('installs nothing when what the lock file asks for is there', async () => {
    await clone.launch().end()
    const { output } = await clone.launch().end()
    expect(output).toMatch(/^\[1\/3\] packages: installed\n/)
    expect(await readNpmCalls()).toBe('npm ci\n')
  })

  test.each([
    ['the lock file asks for another version', LOCK_FILE.replace('"1.0.0"', '"1.0.1"')],
    [
      'the lock file asks for one more',
      LOCK_FILE.replace('"node_modules/wanted"', '"node_modules/new":{},"node_modules/wanted"'),
    ],
  ])('installs again when %s', async (_case, lockFile) => {
    await clone.launch().end()
    await clone.write('package-lock.json', lockFile)
    await clone.launch().end()
    expect(await readNpmCalls()).toBe('npm ci\nnpm ci\n')
  })

  test('installs again when an installation was cut short', async () => {
    await clone.launch().end()
    await rm(join(clone.path, 'node_modules', '.package-lock.json'))
    await clone.launch().end()
    expect(await readNpmCalls()).toBe('npm ci\nnpm ci\n')
  })

  test('brings the lock file up to date when package.json asks for more', async () => {
    await clone.write(
      'bin/npm',
      '#!/bin/sh\necho "npm $1" >> calls\n[ "$1" = install ] || { echo "npm error code EUSAGE"; exit 1; }\n',
      true,
    )
    const { exitCode } = await clone.launch().end()
    expect(await readNpmCalls()).toBe('npm ci\nnpm install\n')
    expect(exitCode).toBe(0)
  })

  test('starts no compiler when nothing has changed, and one when something has', async () => {
    await clone.write('packages/a/tsconfig.json', '{}')
    await clone.write('packages/a/src/index.ts', 'export const a = 1')
    await clone.launch().end()
    expect((await clone.launch().end()).output).toContain('[2/3] build: up to date\n')
    await clone.write('packages/a/src/index.ts', 'export const a = 22')
    expect((await clone.launch().end()).output).toContain('[2/3] build: compiling what changed\n')
    await clone.write('packages/a/src/b.ts', 'export const b = 1')
    expect((await clone.launch().end()).output).toContain('[2/3] build: compiling what changed\n')
    await rm(join(clone.path, 'packages/a/src/b.ts'))
    expect((await clone.launch().end()).output).toContain('[2/3] build: compiling what changed\n')
    await clone.write('packages/a/dist/.tsbuildinfo', '{}')
    expect((await clone.launch().end()).output).toContain('[2/3] build: compiling what changed\n')
    expect((await clone.launch().end()).output).toContain('[2/3] build: up to date\n')
  })

  test('left the build older than a folder that a file came into and went from again', async () => {
    await clone.write('packages/a/tsconfig.json', '{}')
    await clone.write('packages/a/src/index.ts', 'export const a = 1')
    await clone.launch().end()
    await clone.write('packages/a/src/.index.ts.swp', '')
    await rm(join(clone.path, 'packages/a/src/.index.ts.swp'))
    expect((await clone.launch().end()).output).toContain('[2/3] build: up to date\n')
    const [stamp, folder] = await Promise.all(
      ['node_modules/.synchub-build', 'packages/a/src'].map((name) => stat(join(clone.path, name))),
    )
    expect(stamp?.mtimeMs).toBeGreaterThan(Number(folder?.mtimeMs))
  })

  test('compiles again after a build that failed', async () => {
    await clone.write('node_modules/typescript/bin/tsc', 'process.exitCode = 2')
    await clone.launch().end()
    expect((await clone.launch().end()).exitCode).toBe(1)
  })

  test('says in npm’s words why packages cannot be installed, and what to do', async () => {
    await clone.write('bin/npm', '#!/bin/sh\necho "npm error network request failed" >&2\nexit 1\n', true)
    const { exitCode, output } = await clone.launch().end()
    expect(output).toContain(
      'Packages: npm could not install them:\nnpm error network request failed\nSee that this machine',
    )
    expect(output).not.toContain('    at ')
    expect(exitCode).toBe(1)
  })

  test('shows the compiler’s errors and starts nothing', async () => {
    await clone.write('node_modules/typescript/bin/tsc', "console.log('a.ts(1,1): error TS1'); process.exitCode = 2")
    const { exitCode, output } = await clone.launch().end()
    expect(output).toContain('Build: the sources do not compile:\na.ts(1,1): error TS1')
    expect(output).not.toContain('main')
    expect(exitCode).toBe(1)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends npm and itself in good order at %s', async (signalName, expectedCode) => {
    await clone.write('bin/npm', SLOW_NPM, true)
    const run = clone.launch()
    while (!existsSync(join(clone.path, 'npm-started'))) await delay(10)
    run.child.kill(signalName)
    const { exitCode, output } = await run.end()
    expect(output).toMatch(/Stopped\. Nothing is left running; the next start goes on from here\.\n$/)
    expect(exitCode).toBe(expectedCode)
    expect(await readFile(join(clone.path, 'npm-ended'), 'utf8')).toBe('ended\n')
  })
})

describe('the Node that SyncHub needs', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1', '100.0.0'])('is found in %s', (version) => {
    expect(explainOldNode(version)).toBe('')
  })

  test.each(['20.18.3', '18.20.8', '16.0.0', '8.17.0', ''])('is not found in %s', (version) => {
    expect(explainOldNode(version)).toContain(`needs Node 20.19 or newer; this is Node ${version}.`)
  })
})
