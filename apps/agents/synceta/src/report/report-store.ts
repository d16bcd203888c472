import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const REPORT_FILE = /^rep-[0-9a-f]{16}\.md$/

/** Reports of runs, one Markdown file each, in one folder; the oldest make room for new ones. */
export class ReportStore {
  readonly #folder: string
  readonly #maxReports: number

  /** @param folder - absolute path, made when the first report is written */
  constructor(folder: string, maxReports: number) {
    this.#folder = folder
    this.#maxReports = maxReports
  }

  /** Writes a report: whoever reads it, also after a crash of the machine, finds all of it or nothing. */
  async write(reportId: string, markdown: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const unfinished = join(this.#folder, `${reportId}.${randomUUID()}.tmp`)
    try {
      await using file = await open(unfinished, 'wx', 0o600)
      await file.writeFile(markdown)
      await file.sync()
      await rename(unfinished, join(this.#folder, `${reportId}.md`))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await this.#makeRoom()
  }

  async #makeRoom(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => REPORT_FILE.test(name))
    if (names.length <= this.#maxReports) return
    const dated = await Promise.all(names.map(async (name) => ({ name, writtenAtMs: await this.#writtenAt(name) })))
    dated.sort((one, other) => other.writtenAtMs - one.writtenAtMs)
    for (const { name } of dated.slice(this.#maxReports)) await rm(join(this.#folder, name), { force: true })
  }

  /** One that another run has just removed is as old as can be. */
  async #writtenAt(name: string): Promise<number> {
    try {
      return (await stat(join(this.#folder, name))).mtimeMs
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }
}

/**
 * The id of the report of a call (S0.6: `rep-<id>`). Each attempt of a call has the same, so that a repeat replaces what the first
 * has written. The callId comes from outside: only its digest gets into a file name.
 */
export function reportIdOf(callId: string): string {
  return `rep-${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`
}

/** The URI under which a report is embedded in an answer. */
export function reportUri(reportId: string): string {
  return `report://synceta/${reportId}`
}
