import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The settings that `npm start` gives its Redis. */
export const CONFIG_FILE = fileURLToPath(new URL('../../../../infra/redis.conf', import.meta.url))

/** Where the run keeps a server program that had to be downloaded; never written by these tests. */
export const PROGRAM_DIR = fileURLToPath(new URL('../../../../.synchub/redis-program', import.meta.url))

/** A fresh folder, by its real path, and how to remove it. */
export async function makeScratchDir(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'synchub-redis-test-')))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
