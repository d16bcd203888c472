import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'
import type { FolderDefinition } from '../configuration/source-definition.js'
import { describeFileError } from './guarded-file.js'
import type { UnreadCause, UnreadList } from './unread.js'

/** A regular file that a folder's patterns select. */
export interface ListedFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string
  readonly sizeBytes: number
}

/** What bounds a walk: folders may be deep and very full. */
export interface ListingLimits {
  readonly maxFiles: number
  /** Entries looked at, whether they are selected or not. */
  readonly maxEntries: number
}

const MAX_DEPTH = 32

/**
 * Lists the files below a folder that its patterns select, in the order of their paths. Links are never followed, and neither dot
 * folders nor node_modules are entered; what is passed over goes into `unread`.
 * @param root - the folder's real path
 */
export async function listFolder(
  definition: FolderDefinition,
  root: string,
  limits: ListingLimits,
  unread: UnreadList,
  signal: AbortSignal,
): Promise<ListedFile[]> {
  const walk = new FolderWalk(definition, root, limits, unread, signal)
  await walk.enter('', 0)
  return walk.files
}

class FolderWalk {
  readonly files: ListedFile[] = []
  readonly #definition: FolderDefinition
  readonly #root: string
  readonly #limits: ListingLimits
  readonly #unread: UnreadList
  readonly #signal: AbortSignal
  readonly #isIncluded: (path: string) => boolean
  readonly #isExcluded: (path: string) => boolean
  #entries = 0
  #isFull = false

  constructor(
    definition: FolderDefinition,
    root: string,
    limits: ListingLimits,
    unread: UnreadList,
    signal: AbortSignal,
  ) {
    this.#definition = definition
    this.#root = root
    this.#limits = limits
    this.#unread = unread
    this.#signal = signal
    this.#isIncluded = picomatch([...definition.include])
    this.#isExcluded = picomatch([...definition.exclude], { dot: true })
  }

  async enter(folder: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) return this.#pass(folder, 'limit', `deeper than ${MAX_DEPTH} folders`)
    for (const entry of await this.#entriesOf(folder)) {
      this.#signal.throwIfAborted()
      if (this.#isFull) return
      this.#entries += 1
      if (this.#entries > this.#limits.maxEntries) return this.#stop(`more than ${this.#limits.maxEntries} entries`)
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!this.#isExcluded(path)) await this.#visit(entry, path, depth)
    }
  }

  async #visit(entry: Dirent, path: string, depth: number): Promise<void> {
    if (entry.isSymbolicLink()) return this.#passLink(path)
    if (entry.isDirectory()) {
      const isEntered = !entry.name.startsWith('.') && entry.name !== 'node_modules' && !this.#isExcluded(`${path}/`)
      return isEntered ? this.enter(path, depth + 1) : undefined
    }
    if (!this.#isIncluded(path)) return undefined
    if (!entry.isFile()) return this.#pass(path, 'special', 'not a regular file')
    if (this.files.length >= this.#limits.maxFiles) return this.#stop(`more than ${this.#limits.maxFiles} files`)
    return this.#select(path)
  }

  /** What a link leads to is unknown without following it; one that the patterns select would have been read as a file. */
  #passLink(path: string): void {
    this.#pass(path, this.#isIncluded(path) ? 'refused' : 'link', 'a symbolic link, which is never followed')
  }

  async #select(path: string): Promise<void> {
    try {
      const { size } = await lstat(join(this.#root, path))
      this.files.push({ path, sizeBytes: size })
    } catch (error) {
      this.#pass(path, 'failed', describeFileError(error))
    }
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true })
      return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    } catch (error) {
      this.#pass(folder, 'failed', describeFileError(error))
      return []
    }
  }

  #stop(reason: string): void {
    this.#isFull = true
    this.#unread.add({ source: this.#definition.name, cause: 'limit', reason: `${reason}: the rest was left out` })
  }

  #pass(path: string, cause: UnreadCause, reason: string): void {
    this.#unread.add({ source: this.#definition.name, ...(path === '' ? {} : { path }), cause, reason })
  }
}
