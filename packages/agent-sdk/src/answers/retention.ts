import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ANSWER_SUFFIX, describeCode, UNFINISHED_SUFFIX } from './store.js'

/** How long answers are kept. */
export interface RetentionBounds {
  /** Oldest answer that is kept, in milliseconds. */
  readonly maxAgeMs: number
  /** Most answers that are kept; the oldest go first. */
  readonly maxCount: number
}

/**
 * Removes the answers that are past their bounds, and files that a process which died left half written. Files of others stay.
 * @returns how many files were removed
 */
export async function pruneAnswers(
  directory: string,
  { maxAgeMs, maxCount }: RetentionBounds,
  nowMs: number,
): Promise<number> {
  const files: { path: string; storedAtMs: number }[] = []
  const expired: string[] = []
  for (const name of await readdir(directory)) {
    if (!name.endsWith(ANSWER_SUFFIX) && !name.endsWith(UNFINISHED_SUFFIX)) continue
    const path = join(directory, name)
    const storedAtMs = await modifiedAt(path)
    if (storedAtMs === undefined) continue
    // A file that is being written right now is younger than a minute.
    const bound = name.endsWith(UNFINISHED_SUFFIX) ? Math.min(maxAgeMs, 60_000) : maxAgeMs
    if (nowMs - storedAtMs > bound) expired.push(path)
    else files.push({ path, storedAtMs })
  }
  files.sort((a, b) => b.storedAtMs - a.storedAtMs)
  expired.push(...files.slice(maxCount).map(({ path }) => path))
  for (const path of expired) await rm(path, { force: true })
  return expired.length
}

/** Undefined where the file is gone by now. */
async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (describeCode(error) === 'ENOENT') return undefined
    throw error
  }
}
