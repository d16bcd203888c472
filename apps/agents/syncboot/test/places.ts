import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cleanups: (() => Promise<unknown>)[] = []

/** Runs `cleanup` when the test ends. */
export function atEnd(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup)
}

/** Undoes everything, last first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
}

/** A folder that is removed when the test ends. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'syncboot-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
