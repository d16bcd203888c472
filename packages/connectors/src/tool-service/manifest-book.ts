import { messageOf } from '../answer/outcome.js'
import { createToolCollector, type ToolCollector } from '../answer/tool-list.js'
import { type Manifest, parseManifest } from './manifest.js'
import type { ManifestSource } from './manifest-source.js'

/** How old the manifest may be that a call goes by: a process that only calls hears of no discovery. */
const MAX_AGE_MS = 30_000
/** Longest time that reading it may take, in milliseconds, when a call wants it. */
const READ_TIMEOUT_MS = 5_000

/** The manifest of one service as it was last read. */
export class ManifestBook {
  readonly #source: ManifestSource
  readonly #serviceUrl: string
  readonly #collect: ToolCollector
  readonly #notice: (reason: string) => void
  #last: { readonly manifest: Manifest; readonly readAtMs: number } | undefined
  #reading: Promise<Manifest> | undefined

  constructor(source: ManifestSource, serviceUrl: string, notice: (reason: string) => void) {
    this.#source = source
    this.#serviceUrl = serviceUrl
    this.#collect = createToolCollector(notice)
    this.#notice = notice
  }

  /** Reads it. @throws ExchangeError or BrokenAnswerError */
  async read(signal: AbortSignal): Promise<Manifest> {
    const manifest = await parseManifest(await this.#source(signal), this.#serviceUrl, this.#collect)
    this.#last = { manifest, readAtMs: performance.now() }
    return manifest
  }

  /** The manifest to call by: the last one where it is young, or where it cannot be read now. @throws as {@link read} */
  async current(): Promise<Manifest> {
    if (this.#last !== undefined && performance.now() - this.#last.readAtMs < MAX_AGE_MS) return this.#last.manifest
    this.#reading ??= this.read(AbortSignal.timeout(READ_TIMEOUT_MS)).finally(() => {
      this.#reading = undefined
    })
    try {
      return await this.#reading
    } catch (thrown) {
      if (this.#last === undefined) throw thrown
      this.#notice(`the manifest cannot be read, the one from before holds: ${messageOf(thrown)}`)
      return this.#last.manifest
    }
  }
}
