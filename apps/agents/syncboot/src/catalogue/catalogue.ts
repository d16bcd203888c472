import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DIALECT_NAMES, type Dialect } from '../sql/dialect.js'
import { writeFileAtomically } from './atomic-file.js'
import { type CatalogueEntry, decodeEntry, encodeEntry } from './entry.js'
import { createTurns } from './turns.js'

const SUFFIX = '.json'

/** The catalogue holds something for this table that cannot be understood, or cannot be reached at all. */
export class CatalogueFailure extends Error {
  override readonly name = 'CatalogueFailure'
}

/** One table's place in the catalogue, for as long as its turn lasts. */
export interface CataloguePlace {
  /** What is known; undefined for a table that is new. */
  readonly known: CatalogueEntry | undefined
  /** Keeps the table's new state: on disk and complete once this resolves. */
  readonly save: (entry: CatalogueEntry) => Promise<void>
}

/**
 * The schemas that SyncBoot has answered, one JSON file for each table and dialect:
 * `<folder>/mysql/tb_membership_grade.json`. Safe for any number of calls in one process; two processes must not share a folder.
 */
export interface Catalogue {
  /**
   * Runs `work` alone on one table: whoever asks for the same one waits, other tables go on.
   * @throws CatalogueFailure when the file is damaged; it is left as it is, since overwriting it would lose what was built
   */
  readonly inTurn: <T>(table: string, dialect: Dialect, work: (place: CataloguePlace) => Promise<T>) => Promise<T>
  /**
   * What is known of a table now, without a turn: a file is replaced as a whole.
   * @throws CatalogueFailure when the file is damaged
   */
  readonly find: (table: string, dialect: Dialect) => Promise<CatalogueEntry | undefined>
  /** Names of all tables in any dialect, in the order of their letters. */
  readonly tables: () => Promise<readonly string[]>
}

/**
 * Opens the catalogue in `folder`, making its folders.
 * @throws CatalogueFailure when they cannot be made or written to
 */
export async function openCatalogue(folder: string): Promise<Catalogue> {
  for (const dialect of DIALECT_NAMES) await openFolder(join(folder, dialect))
  const turns = createTurns()
  const fileOf = (table: string, dialect: Dialect): string => join(folder, dialect.name, `${table}${SUFFIX}`)
  return {
    find: async (table, dialect) => readEntry(fileOf(table, dialect), dialect),
    async tables() {
      const names = await Promise.all(DIALECT_NAMES.map((name) => readdir(join(folder, name))))
      const files = names.flat().filter((name) => name.endsWith(SUFFIX))
      return [...new Set(files.map((name) => name.slice(0, -SUFFIX.length)))].toSorted()
    },
    inTurn(table, dialect, work) {
      const file = fileOf(table, dialect)
      return turns.take(file, async () =>
        work({
          known: await readEntry(file, dialect),
          save: (entry) => saveEntry(file, entry),
        }),
      )
    },
  }
}

async function openFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new CatalogueFailure(
      `SyncBoot cannot keep its catalogue in ${folder} (${codeOf(error)}): make it writable or set another DATA_DIR`,
      {
        cause: error,
      },
    )
  }
}

async function readEntry(file: string, dialect: Dialect): Promise<CatalogueEntry | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CatalogueFailure(
      `SyncBoot's catalogue file ${nameOf(file)} cannot be read: check the rights of the data folder`,
      {
        cause: error,
      },
    )
  }
  try {
    return decodeEntry(text, dialect)
  } catch (error) {
    throw new CatalogueFailure(
      `SyncBoot's catalogue file ${nameOf(file)} is damaged: restore it from a backup, or move it away to start this table anew`,
      { cause: error },
    )
  }
}

async function saveEntry(file: string, entry: CatalogueEntry): Promise<void> {
  try {
    await writeFileAtomically(file, encodeEntry(entry))
  } catch (error) {
    throw new CatalogueFailure(
      `SyncBoot's catalogue file ${nameOf(file)} cannot be written: check the data folder's rights and free space`,
      { cause: error },
    )
  }
}

/** Dialect and file name: what an operator needs and a caller may see. */
function nameOf(file: string): string {
  return file.slice(dirname(dirname(file)).length + 1)
}

/** The code of a system error, by its shape: in another realm an error of the file system is no `Error`. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
}
