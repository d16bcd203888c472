import { createHash, randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError } from '@synchub/protocol'
import { decodeAnswer, encodeAnswer, type StoredAnswer } from './answer.js'

/** Suffix of stored answers. */
export const ANSWER_SUFFIX = '.json'
/** Suffix of files that are being written; one that is left over belongs to a process that died. */
export const UNFINISHED_SUFFIX = '.tmp'

/** Answers on disk, one file each, so that a repeat of a call gets its answer even after the agent was started anew. */
export class AnswerStore {
  readonly directory: string
  #lastSync: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | undefined

  private constructor(directory: string) {
    this.directory = directory
  }

  /**
   * Opens the store under `dataDir`, making the folder where it is missing.
   * @throws Error in one sentence, when the folder cannot be written to
   */
  static async open(dataDir: string): Promise<AnswerStore> {
    const directory = join(dataDir, 'answers')
    try {
      await mkdir(directory, { recursive: true })
      await access(directory, constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw new Error(
        `the agent cannot write its answers to ${directory} (${describeCode(cause)}): make it writable or set another dataDir`,
        { cause },
      )
    }
    return new AnswerStore(directory)
  }

  /**
   * The stored answer of a call, or undefined where there is none.
   * @throws HubError OUTCOME_UNKNOWN when there is one that cannot be read: the work was done, so it is not run again
   */
  async find(callId: string): Promise<StoredAnswer | undefined> {
    const path = this.#pathOf(callId)
    try {
      return decodeAnswer(await readFile(path, 'utf8'))
    } catch (cause) {
      if (describeCode(cause) === 'ENOENT') return undefined
      throw new HubError('OUTCOME_UNKNOWN', `the stored answer of this call cannot be read from ${path}`, { cause })
    }
  }

  /** Stores an answer so that it survives a crash of process or machine from the moment that this returns. */
  async put(tool: string, callId: string, answer: StoredAnswer): Promise<void> {
    const path = this.#pathOf(callId)
    const unfinished = `${path}.${randomUUID()}${UNFINISHED_SUFFIX}`
    try {
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await file.writeFile(encodeAnswer(tool, callId, answer))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
      await this.#syncDirectory()
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  /** A rename is on disk only once its folder is. All renames that wait for the disk share the next sync. */
  #syncDirectory(): Promise<void> {
    if (this.#nextSync === undefined) {
      const begin = (): Promise<void> => {
        this.#nextSync = undefined
        return syncFolder(this.directory)
      }
      this.#nextSync = this.#lastSync.then(begin, begin)
      this.#lastSync = this.#nextSync
    }
    return this.#nextSync
  }

  /** The callId comes from outside and is no file name; its digest is one on every file system. */
  #pathOf(callId: string): string {
    return join(this.directory, `${createHash('sha256').update(callId).digest('hex')}${ANSWER_SUFFIX}`)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The code of a system error, recognised by its shape. */
export function describeCode(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : String(thrown)
}
