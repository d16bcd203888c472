import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a report is called. */
export const REPORT_ID = /^rep-[\da-f]{16}$/

/** A report of the store, without its text. */
export interface StoredReport {
  readonly reportId: string
  readonly writtenAtMs: number
  readonly sizeBytes: number
}

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

  /** All reports, newest first. */
  async list(): Promise<StoredReport[]> {
    const ids = (await this.#names()).map((name) => name.slice(0, -'.md'.length))
    const reports = await Promise.all(ids.map(async (reportId) => this.#stat(reportId)))
    return reports.filter((report) => report !== undefined).toSorted(compareNewestFirst)
  }

  /** The text of a report, or undefined where there is none of this id. */
  async read(reportId: string): Promise<string | undefined> {
    if (!REPORT_ID.test(reportId)) return undefined
    return unlessMissing(async () => readFile(join(this.#folder, `${reportId}.md`), 'utf8'))
  }

  async #removeOldest(): Promise<void> {
    if ((await this.#names()).length <= this.#maxReports) return
    const oldest = (await this.list()).slice(this.#maxReports)
    for (const { reportId } of oldest) await rm(join(this.#folder, `${reportId}.md`), { force: true })
  }

  async #names(): Promise<string[]> {
    const names = await unlessMissing(async () => readdir(this.#folder))
    return (names ?? []).filter((name) => /^rep-[\da-f]{16}\.md$/.test(name))
  }

  /** Undefined where another research has just removed it. */
  async #stat(reportId: string): Promise<StoredReport | undefined> {
    const found = await unlessMissing(async () => stat(join(this.#folder, `${reportId}.md`)))
    return found && { reportId, writtenAtMs: found.mtimeMs, sizeBytes: found.size }
  }
}

/** The order of lists: newest first, and by id where two are of the same instant. */
export function compareNewestFirst(
  one: Pick<StoredReport, 'reportId' | 'writtenAtMs'>,
  other: Pick<StoredReport, 'reportId' | 'writtenAtMs'>,
): number {
  return other.writtenAtMs - one.writtenAtMs || (one.reportId < other.reportId ? -1 : 1)
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The id of the report of a call (S0.6: `rep-<id>`): the same for each attempt of one call, so that a second attempt replaces the
 * report of the first. A callId comes from outside, so only its digest gets into a file name.
 */
export function reportIdOf(callId: string): string {
  return `rep-${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`
}

/** The URI of reports. */
export const REPORT_URI = 'report://syncinsight/{reportId}'

/** The URI of a report: it is embedded in an answer under it, and read by it afterwards. */
export function reportUri(reportId: string): string {
  return REPORT_URI.replace('{reportId}', reportId)
}
