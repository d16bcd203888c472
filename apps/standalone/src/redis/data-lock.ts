import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.js'
import { readProcessIdentity } from './process-identity.js'
import { readErrorCode, readErrorMessage } from './system-error.js'

/** The right to run a server on a data folder. */
export interface DataLock {
  /** Gives the folder back, once its server has ended. */
  release(): Promise<void>
}

interface OwnerRecord {
  readonly host: string
  readonly pid: number
  /** Tells the owner from a later process with the same number. */
  readonly identity: string
  readonly released: boolean
}

/**
 * Takes a data folder for this process, so that no two servers ever write one log.
 *
 * The owners of a folder are numbered, each with a file `owner-<number>`; the highest number owns. Whoever finds the
 * owner gone makes the file with the next number, which succeeds for exactly one. The last file always stays, so numbers
 * never come again and a slow contender cannot take an old one: it finds a higher number and gives way.
 *
 * @throws StartError when a running SyncHub has the folder, or its file system cannot hold such a file.
 */
export async function lockDataFolder(dataDir: string): Promise<DataLock> {
  try {
    return await takeOwnership(dataDir)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `Redis: the data folder ${dataDir} cannot be marked as in use (${readErrorCode(error) ?? readErrorMessage(error)}).`,
      'Name a data folder on a local disk that has room and allows hard links.',
      { cause: error },
    )
  }
}

async function takeOwnership(dataDir: string): Promise<DataLock> {
  const owner = await describeThisProcess()
  for (;;) {
    const numbers = await listOwners(dataDir)
    const last = numbers.at(-1) ?? 0
    if (last > 0) await refuseIfOwned(ownerFile(dataDir, last))
    const path = ownerFile(dataDir, last + 1)
    if (!(await createRecord(path, owner))) continue
    if ((await listOwners(dataDir)).at(-1) !== last + 1) {
      await rm(path, { force: true })
      continue
    }
    for (const number of numbers) await rm(ownerFile(dataDir, number), { force: true })
    return { release: () => replaceRecord(path, { ...owner, released: true }) }
  }
}

function ownerFile(dataDir: string, number: number): string {
  return join(dataDir, `owner-${number}`)
}

async function listOwners(dataDir: string): Promise<number[]> {
  const numbers = (await readdir(dataDir)).map((name) => Number(/^owner-(\d+)$/.exec(name)?.[1]))
  return numbers.filter(Number.isSafeInteger).toSorted((a, b) => a - b)
}

async function describeThisProcess(): Promise<OwnerRecord> {
  const identity = (await readProcessIdentity(process.pid)) ?? ''
  return { host: hostname(), pid: process.pid, identity, released: false }
}

async function refuseIfOwned(path: string): Promise<void> {
  const owner = await readRecord(path)
  if (owner === undefined || owner.released) return
  if (owner.host !== hostname()) {
    throw new StartError(
      `Redis: the data folder belongs to a SyncHub on ${owner.host}, another machine or container that cannot be seen from here.`,
      `Stop that one; if it no longer exists, remove its mark: rm '${path}'`,
    )
  }
  if ((await readProcessIdentity(owner.pid)) !== owner.identity) return
  throw new StartError(
    `Redis: another SyncHub (process ${owner.pid}) runs on the same data folder (${path}).`,
    `Use that one, or stop it first: kill ${owner.pid}`,
  )
}

/** Undefined when the file is gone: an owner with a higher number has come meanwhile. */
async function readRecord(path: string): Promise<OwnerRecord | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as OwnerRecord
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined
    throw new StartError(
      `Redis: the owner file ${path} cannot be read, so nobody can tell whether a SyncHub runs on its folder.`,
      `If none runs, remove the file: rm '${path}'`,
      { cause: error },
    )
  }
}

/** True when the file was made by this call. It appears with its whole content, so nobody reads half a record. */
async function createRecord(path: string, record: OwnerRecord): Promise<boolean> {
  const draft = await writeDraft(path, record)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft)
  }
}

async function replaceRecord(path: string, record: OwnerRecord): Promise<void> {
  await rename(await writeDraft(path, record), path)
}

async function writeDraft(path: string, record: OwnerRecord): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(record))
  return draft
}
