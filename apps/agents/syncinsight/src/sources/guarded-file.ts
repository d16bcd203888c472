import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { UnreadCause } from './unread.js'

/** What reading one file came to. */
export type GuardedRead =
  | { readonly outcome: 'read'; readonly bytes: Buffer; readonly realPath: string }
  | { readonly outcome: 'not_read'; readonly cause: UnreadCause; readonly reason: string }

/** O_NOFOLLOW refuses a link that replaced the file after it was listed; O_NONBLOCK keeps a pipe's open from waiting. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const CHUNK_BYTES = 65_536

/**
 * Reads a regular file that lies below `root` and nowhere else (invariant 13). The check that counts is made on the open file: where
 * it really lies must be below the root, so a folder or file that is exchanged for a
 * link between listing and reading gains nothing.
 * @param root - the folder's real path
 * @param path - relative to it
 */
export async function readGuardedFile(root: string, path: string, maxBytes: number): Promise<GuardedRead> {
  const full = join(root, path)
  let handle: FileHandle | undefined
  try {
    const refusal = refuseKind(await lstat(full))
    if (refusal !== undefined) return refusal
    handle = await open(full, OPEN_FLAGS)
    return await readOpen(handle, root, full, maxBytes)
  } catch (error) {
    return notRead(error)
  } finally {
    await handle?.close()
  }
}

async function readOpen(handle: FileHandle, root: string, full: string, maxBytes: number): Promise<GuardedRead> {
  const opened = await handle.stat()
  const refusal = refuseKind(opened)
  if (refusal !== undefined) return refusal
  const realPath = await pathOfOpen(handle, opened, full)
  if (realPath === undefined || !isBelow(root, realPath)) {
    return { outcome: 'not_read', cause: 'refused', reason: 'leads out of its folder' }
  }
  if (opened.size > maxBytes) return tooLarge(maxBytes)
  const bytes = await readUpTo(handle, maxBytes)
  return bytes === undefined ? tooLarge(maxBytes) : { outcome: 'read', bytes, realPath }
}

/**
 * Where the open file lies. Linux tells it of the descriptor itself, whatever has happened to the path since; elsewhere the path is
 * resolved again and must be the file that is open, which a very fast exchange of folders could still deceive.
 * @returns undefined when the path no longer leads to the open file
 */
async function pathOfOpen(handle: FileHandle, opened: Stats, full: string): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`)
  const realPath = await realpath(full)
  const there = await lstat(realPath)
  return there.ino === opened.ino && there.dev === opened.dev ? realPath : undefined
}

/** Undefined when there is more: a file may grow while it is read, and some have no size to begin with. */
async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return Buffer.concat(chunks)
    length += bytesRead
    if (length > maxBytes) return undefined
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

/** Whether the real path `path` lies below the real path `root`. */
export function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function refuseKind(stats: Stats): GuardedRead | undefined {
  if (stats.isSymbolicLink())
    return { outcome: 'not_read', cause: 'link', reason: 'a symbolic link, which is never followed' }
  if (stats.isFile()) return undefined
  return { outcome: 'not_read', cause: 'special', reason: 'not a regular file' }
}

function tooLarge(maxBytes: number): GuardedRead {
  return { outcome: 'not_read', cause: 'limit', reason: `larger than ${maxBytes} bytes (limits.maxFileBytes)` }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this process',
  EPERM: 'may not be read by this process',
  ENOTDIR: 'does not exist',
  ELOOP: 'a symbolic link, which is never followed',
}

/** Says in words why the file system refused, without the path that its own message holds. */
export function describeFileError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === undefined) throw error
  return REASONS[code] ?? `could not be read (${code})`
}

function notRead(error: unknown): GuardedRead {
  const reason = describeFileError(error)
  return { outcome: 'not_read', cause: reason === REASONS.ELOOP ? 'link' : 'failed', reason }
}
