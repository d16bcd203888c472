import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { downloadedCommand } from '../../src/redis/apt-download.js'
import { inspectServerProgram } from '../../src/redis/server-program.js'
import { findServerProgram } from '../../src/redis/server-search.js'
import { makeScratchDir } from './scratch.js'

let scratch: Awaited<ReturnType<typeof makeScratchDir>>

beforeEach(async () => {
  scratch = await makeScratchDir()
})

afterEach(async () => {
  await scratch.remove()
})

/** A program that answers `--version` with these words. */
async function makeProgram(name: string, words: string, exitCode = 0): Promise<string> {
  const path = join(scratch.path, name)
  await writeFile(path, `#!/bin/sh\necho '${words}'\nexit ${exitCode}\n`)
  await chmod(path, 0o755)
  return path
}

describe('a server program', () => {
  test('is usable when it tells a version that is new enough', async () => {
    const command = await makeProgram('valkey-server', 'Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64')
    expect(await inspectServerProgram(command)).toEqual({ outcome: 'usable', program: { command, version: '8.1.1' } })
  })

  test('is too old below 7.0.0', async () => {
    const command = await makeProgram('redis-server', 'Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc bits=64')
    expect(await inspectServerProgram(command)).toEqual({ outcome: 'too-old', command, version: '6.0.16' })
  })

  test('is missing when there is no such command', async () => {
    expect(await inspectServerProgram(join(scratch.path, 'none'))).toEqual({ outcome: 'missing' })
  })

  test('is broken when it cannot run, with what it said', async () => {
    const command = await makeProgram('redis-server', 'libjemalloc.so.2: cannot open shared object file', 127)
    expect(await inspectServerProgram(command)).toEqual({
      outcome: 'broken',
      command,
      reason: 'libjemalloc.so.2: cannot open shared object file',
    })
  })

  test('is broken when it may not be executed', async () => {
    const command = await makeProgram('redis-server', 'Redis server v=7.0.15')
    await chmod(command, 0o644)
    expect(await inspectServerProgram(command)).toMatchObject({
      outcome: 'broken',
      reason: expect.stringContaining('EACCES'),
    })
  })

  test('is not waited for once the start was given up', async () => {
    const command = join(scratch.path, 'slow')
    await writeFile(command, '#!/bin/sh\nexec sleep 60\n')
    await chmod(command, 0o755)
    const givenUp = new AbortController()
    const inspection = inspectServerProgram(command, givenUp.signal)
    givenUp.abort(new Error('Ctrl-C'))
    await expect(inspection).rejects.toThrow('Ctrl-C')
  })
})

describe('the search for a server', () => {
  const onProgress = (): void => undefined

  test('takes the first command that serves and passes over those that do not', async () => {
    const old = await makeProgram('old', 'Redis server v=5.0.7 sha=0')
    const fits = await makeProgram('fits', 'Redis server v=7.2.4 sha=0')
    const later = await makeProgram('later', 'Valkey server v=8.0.0 sha=0')
    const commands = [join(scratch.path, 'none'), old, fits, later]
    const search = findServerProgram({ commands, programDir: join(scratch.path, 'program'), onProgress })
    expect(await search).toEqual({ command: fits, version: '7.2.4' })
  })

  test('takes what an earlier start has downloaded before it asks the network', async () => {
    const programDir = join(scratch.path, 'program')
    await mkdir(programDir)
    const command = await makeProgram('program/redis-server', 'Redis server v=7.0.15 sha=0')
    expect(command).toBe(downloadedCommand(programDir))
    const lines: string[] = []
    const search = findServerProgram({ commands: [], programDir, onProgress: (line) => lines.push(line) })
    expect(await search).toEqual({ command, version: '7.0.15' })
    expect(lines).toEqual([])
  })

  test('gives up at once when asked to', async () => {
    const search = { commands: [], programDir: join(scratch.path, 'program'), mayInstall: false, onProgress }
    await expect(findServerProgram({ ...search, signal: AbortSignal.abort(new Error('Ctrl-C')) })).rejects.toThrow(
      'Ctrl-C',
    )
  })
})
