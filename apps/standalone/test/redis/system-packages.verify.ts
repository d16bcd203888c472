import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { downloadedCommand, downloadWithApt } from '../../src/redis/apt-download.js'
import { MANUAL_STEPS } from '../../src/redis/manual-steps.js'
import { makeScratchDir } from './scratch.js'

const FINDER = fileURLToPath(new URL('program-finder.mjs', import.meta.url))
const NETWORK_TIMEOUT_MS = 5 * 60_000

/** Elsewhere the search ends with the commands to type, which every test here then expects. */
const hasApt = existsSync('/usr/bin/apt-get')
const isRoot = process.getuid?.() === 0

interface Finding {
  readonly command?: string
  readonly remedy?: string
  readonly lines: readonly string[]
}

let scratch: Awaited<ReturnType<typeof makeScratchDir>>
let programDir: string

beforeEach(async () => {
  scratch = await makeScratchDir()
  programDir = join(scratch.path, 'program')
})

afterEach(async () => {
  await scratch.remove()
})

async function find(way: 'install' | 'download', env: Record<string, string> = {}): Promise<Finding> {
  const options = { env: { ...process.env, ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [FINDER, programDir, way], options)
  return JSON.parse(stdout) as Finding
}

/** A configuration of apt under which the system looks as if its package lists had never been read. */
async function hideSystemLists(): Promise<Record<string, string>> {
  const lists = join(scratch.path, 'no-lists')
  await mkdir(join(lists, 'partial'), { recursive: true })
  const config = join(scratch.path, 'apt.conf')
  await writeFile(config, `Dir::State::Lists "${lists}";\nDir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n`)
  return { APT_CONFIG: config }
}

describe('a server from the system’s packages', () => {
  test(
    'is downloaded without root, with its libraries, and runs',
    async () => {
      const { command, remedy, lines } = await find('download')
      expect(command ?? remedy).toBe(hasApt ? downloadedCommand(programDir) : MANUAL_STEPS)
      expect(lines.some((line) => line.includes('without root'))).toBe(hasApt)
      expect(existsSync(join(programDir, 'archives'))).toBe(false)
    },
    NETWORK_TIMEOUT_MS,
  )

  test(
    'is downloaded on a machine whose package lists were never read',
    async () => {
      const { command, remedy, lines } = await find('download', await hideSystemLists())
      expect(command ?? remedy).toBe(hasApt ? downloadedCommand(programDir) : MANUAL_STEPS)
      expect(lines.some((line) => line.includes('fresh package lists'))).toBe(hasApt)
    },
    NETWORK_TIMEOUT_MS,
  )

  test(
    'is installed by root',
    async () => {
      const { command, remedy } = await find(isRoot ? 'install' : 'download')
      const commands = isRoot ? ['redis-server', 'valkey-server'] : [downloadedCommand(programDir)]
      expect(hasApt ? commands : [MANUAL_STEPS]).toContain(command ?? remedy)
    },
    NETWORK_TIMEOUT_MS,
  )

  test(
    'leaves nothing half done when its download is given up',
    async () => {
      const givenUp = new AbortController()
      const onProgress = (): void => givenUp.abort(new Error('Ctrl-C'))
      await expect(downloadWithApt(programDir, { onProgress, signal: givenUp.signal })).rejects.toThrow(
        hasApt ? 'Ctrl-C' : 'apt-get',
      )
      expect(await readdir(scratch.path)).toEqual([])
    },
    NETWORK_TIMEOUT_MS,
  )
})
