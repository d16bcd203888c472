import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { TraceSummary } from '@synchub/protocol'
import { type ArchiveSource, archiveLines } from './archive-source.js'

/** What became of a trace that was to be written. */
export interface WrittenArchive {
  readonly file: string
  /** False where a file of this trace, up to this very event, was there already. */
  readonly isNew: boolean
}

/** Text that is written at once; a line of its own each would cost a system call. */
const WRITE_CHARS = 256 * 1024

/**
 * The name of a trace's file: when it began, whose it is, its id, and its last event. A trace that goes on later gets a further file.
 * Every character means the same to all file systems.
 */
export function archiveName({ traceId, owner, createdAt, lastSeq }: TraceSummary): string {
  const began = createdAt.replace(/[-:]/g, '').replace(/\.\d+/, '')
  return `${began}_${owner}_${traceId.replaceAll(':', '%3A')}_${lastSeq}.ndjson`
}

/**
 * Writes a trace into a folder, whole or not at all. What is there is left as it is, so that an export that was cut off goes on.
 * @param writtenAt - instant, ISO 8601
 * @throws Error of the file system, or whatever the source throws
 */
export async function writeArchive(folder: string, source: ArchiveSource, writtenAt: string): Promise<WrittenArchive> {
  const name = archiveName(source.trace)
  const file = join(folder, name)
  if (await exists(file)) return { file, isNew: false }
  await makeFolder(folder)
  const part = join(folder, `.${randomUUID()}.part`)
  try {
    await writeLines(part, archiveLines(source, writtenAt))
    await rename(part, file)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
  return { file, isNew: true }
}

/** The lines of a file. @throws Error of the file system once they are read */
export async function* readArchiveFile(file: string): AsyncGenerator<string, undefined> {
  let rest = ''
  // Not node:readline, which tells nobody of a file that cannot be read.
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    let text = ''
    for await (const line of lines) {
      text += line
      if (text.length < WRITE_CHARS) continue
      await handle.writeFile(text)
      text = ''
    }
    await handle.writeFile(text)
    // On the disk before it gets its name: what stands there is taken for whole, and its trace may be removed.
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes a folder and those above it. Not with the `recursive` of `mkdir`: Node then tries for ever where a file system, as /proc does,
 * says of a new folder that the one above it is not there.
 */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  const above = dirname(resolve(folder))
  if (above !== resolve(folder)) await makeFolder(above)
  try {
    await mkdir(folder)
  } catch (thrown) {
    // Another has made it meanwhile.
    if (!(await isFolder(folder))) throw thrown
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Not there, or not to be seen: to make it tells which.
    return false
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile()
  } catch {
    // Not there, or not to be seen: to write it tells which.
    return false
  }
}
