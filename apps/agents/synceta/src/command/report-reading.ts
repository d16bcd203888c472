import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { plainText } from '../report/plain-text.js'
import { RedactedTail } from '../report/redacted-tail.js'
import { SuiteFailure } from '../run/suite-failure.js'
import type { ReportReader } from './report-reader.js'

/** What a command writes to. */
export interface CommandOutput {
  readonly stdout: Readable
  readonly stderr: Readable
}

/** How output is read. */
export interface ReadingOptions {
  readonly reader: ReportReader
  /** Of both outputs together. */
  readonly maxOutputBytes: number
  /** What the last words must not hold. */
  readonly secrets: readonly string[]
  /** Asked after each piece; true when what was read is enough and the command is to be ended. */
  readonly isEnough: () => boolean
}

/** How long output may come after all processes have ended: what they wrote is still in the pipe. */
const DRAIN_PATIENCE_MS = 1_000
const MAX_LAST_WORDS = 2_000

/** Reads what a command writes, all the time until it ends, so that a command never stands still before a full pipe. */
export class ReportReading {
  /** Resolves when there is no use in going on: the output is no report, too large, or enough. */
  readonly stopped: Promise<void>
  readonly #options: ReadingOptions
  readonly #closed: Promise<unknown>
  readonly #streams: readonly Readable[]
  readonly #lastWords: RedactedTail
  #stop: () => void = () => undefined
  #isStopped = false
  #failure: Error | undefined
  #bytes = 0

  constructor({ stdout, stderr }: CommandOutput, options: ReadingOptions) {
    this.#options = options
    this.#lastWords = new RedactedTail(options.secrets, MAX_LAST_WORDS)
    this.#streams = [stdout, stderr]
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve
    })
    this.#closed = Promise.all(this.#streams.map(untilClosed))
    stdout.on('data', (chunk: Buffer) => this.#take(chunk, () => options.reader.read(chunk)))
    stderr.on('data', (chunk: Buffer) => this.#take(chunk, () => this.#lastWords.add(chunk)))
  }

  /** The end of what was written to standard error, or nothing; without secrets. */
  get lastWords(): string {
    return plainText(this.#lastWords.toString()).trim()
  }

  /** Waits until all that was written is read. One who has slipped out of the tree may hold the pipe open; it is not waited for. */
  async settle(): Promise<void> {
    const patience = new AbortController()
    await Promise.race([
      this.#closed,
      delay(DRAIN_PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
    for (const stream of this.#streams) stream.destroy()
  }

  /** @throws what was found wrong with the output while it came */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #take(chunk: Buffer, read: () => void): void {
    if (this.#isStopped) return
    this.#bytes += chunk.length
    const { maxOutputBytes, isEnough } = this.#options
    try {
      if (this.#bytes > maxOutputBytes) throw new SuiteFailure(`it wrote more than ${maxOutputBytes} bytes`)
      read()
      if (!isEnough()) return
    } catch (error) {
      this.#failure = error as Error
    }
    this.#isStopped = true
    this.#stop()
  }
}

async function untilClosed(stream: Readable): Promise<void> {
  if (stream.closed) return
  // A broken pipe of a child that could not be started is told by the child itself.
  await new Promise<void>((resolve) => stream.once('close', resolve).on('error', () => resolve()))
}
