import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A compiled program of the repository, running as a process of its own. */
export class Program {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>
  readonly #lines: string[] = []
  #rest = ''
  #onLine = () => {}

  /** @param path - from the repository's root */
  constructor(path: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
    const { PATH = '', HOME = '' } = process.env
    this.#child = spawn(process.execPath, [file, ...args], { env: { PATH, HOME, ...env } })
    this.#closed = once(this.#child, 'close')
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      this.#lines.push(...lines)
      this.#onLine()
    })
    // Drained, so that a talkative program never stands still.
    this.#child.stderr.resume()
  }

  /** Lines of JSON that it has written, whole ones only. */
  get json(): Record<string, unknown>[] {
    return this.#lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /** Resolves once what it has written satisfies `isEnough`; rejects when it ends without that. */
  async until(isEnough: (json: Record<string, unknown>[]) => boolean): Promise<void> {
    const ended = this.#closed.then(() => 'ended')
    while (!isEnough(this.json)) {
      const more = new Promise<string>((resolve) => {
        this.#onLine = () => resolve('more')
      })
      if ((await Promise.race([more, ended])) === 'ended' && !isEnough(this.json)) throw new Error('the program ended')
    }
  }

  /** Sends a signal and waits for the end; answers the exit code, null where the signal itself ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal)
    return this.ended()
  }

  async ended(): Promise<number | null> {
    await this.#closed
    return this.#child.exitCode
  }
}
