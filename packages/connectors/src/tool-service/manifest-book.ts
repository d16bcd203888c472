import { messageOf } from '../answer/outcome.js'
import { type Manifest, parseManifest } from './manifest.js'
import type { ManifestSource } from './manifest-source.js'

/** Longest time that reading it may take, in milliseconds, when a call wants it. */
const READ_TIMEOUT_MS = 5_000

/** How a book is kept. */
export interface ManifestBookOptions {
  readonly source: ManifestSource
  /** Read where the source fails, until that has given a manifest once. */
  readonly fallback: ManifestSource | undefined
  /** What endpoints are relative to. */
  readonly serviceUrl: string
  /** How old the manifest may be that a call goes by, in milliseconds. */
  readonly maxAgeMs: number
  readonly notice: (reason: string) => void
}

/** The manifest of one service as it was last read. */
export class ManifestBook {
  readonly #options: ManifestBookOptions
  #fallback: ManifestSource | undefined
  #hasFallenBack = false
  #last: { readonly manifest: Manifest; readonly readAtMs: number } | undefined
  #reading: Promise<Manifest> | undefined

  constructor(options: ManifestBookOptions) {
    this.#options = options
    this.#fallback = options.fallback
  }

  /** Reads it. @throws ExchangeError or BrokenAnswerError */
  async read(signal: AbortSignal): Promise<Manifest> {
    const manifest = await this.#readEither(signal)
    this.#last = { manifest, readAtMs: performance.now() }
    return manifest
  }

  /** The manifest to call by: the last one where it is young, or where it cannot be read now. @throws as {@link read} */
  async current(): Promise<Manifest> {
    const { maxAgeMs, notice } = this.#options
    if (this.#last !== undefined && performance.now() - this.#last.readAtMs < maxAgeMs) return this.#last.manifest
    this.#reading ??= this.read(AbortSignal.timeout(READ_TIMEOUT_MS)).finally(() => {
      this.#reading = undefined
    })
    try {
      return await this.#reading
    } catch (thrown) {
      if (this.#last === undefined) throw thrown
      notice(`the manifest cannot be read, the one from before holds: ${messageOf(thrown)}`)
      return this.#last.manifest
    }
  }

  async #readEither(signal: AbortSignal): Promise<Manifest> {
    try {
      const manifest = await this.#readFrom(this.#options.source, signal)
      this.#fallback = undefined
      return manifest
    } catch (thrown) {
      if (this.#fallback === undefined) throw thrown
      if (!this.#hasFallenBack) {
        this.#options.notice(`the manifest cannot be read, the fallback holds until it can: ${messageOf(thrown)}`)
      }
      this.#hasFallenBack = true
      return this.#readFrom(this.#fallback, signal)
    }
  }

  async #readFrom(source: ManifestSource, signal: AbortSignal): Promise<Manifest> {
    return parseManifest(await source(signal), this.#options.serviceUrl)
  }
}
