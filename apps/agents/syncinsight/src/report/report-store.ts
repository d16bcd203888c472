import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Reports as Markdown files in one folder; the oldest go when there are too many. */
export class ReportStore {
  readonly #folder: string
  readonly #maxReports: number

  /**
   * @param folder - absolute path, made when the first report is written
   * @param maxReports - how many reports are kept
   */
  constructor(folder: string, maxReports: number) {
    this.#folder = folder
    this.#maxReports = maxReports
  }

  /** Writes a report, whole or not at all: a reader never sees half of one, and neither does a crash leave it. */
  async write(reportId: string, markdown: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const target = join(this.#folder, `${reportId}.md`)
    const draft = join(this.#folder, `.${reportId}.${randomUUID()}`)
    try {
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(markdown)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await this.#removeOldest()
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => /^rep-[\da-f]+\.md$/.test(name))
    if (names.length <= this.#maxReports) return
    const ages = await Promise.all(names.map(async (name) => ({ name, mtimeMs: await this.#modifiedAt(name) })))
    const oldest = ages.toSorted((one, other) => one.mtimeMs - other.mtimeMs).slice(0, names.length - this.#maxReports)
    for (const { name } of oldest) await rm(join(this.#folder, name), { force: true })
  }

  /** Another research may just have removed it, which makes it old. */
  async #modifiedAt(name: string): Promise<number> {
    try {
      return (await stat(join(this.#folder, name))).mtimeMs
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }
}

/**
 * The id of the report of a call (S0.6: `rep-<id>`): the same for each attempt of one call, so that a second attempt replaces the
 * report of the first. A callId comes from outside, so only its digest gets into a file name.
 */
export function reportIdOf(callId: string): string {
  return `rep-${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`
}

/** The URI under which a report is embedded in an answer. */
export function reportUri(reportId: string): string {
  return `report://syncinsight/${reportId}`
}
