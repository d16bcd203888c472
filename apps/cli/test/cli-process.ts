import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../src/terminal/shell-word.js'

/** The command's bin; it runs what `tsc -b` has built. */
const BIN = fileURLToPath(new URL('../synchub.mjs', import.meta.url))

/** Runs a command in a pseudo-terminal; part of every Debian and macOS. */
const PSEUDO_TERMINAL = 'script'

/** How the command ended. */
export interface CliEnding {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The command as a real child process. */
export class CliProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>
  #stdout = ''
  #stderr = ''

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    this.#closed = once(child, 'close')
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
  }

  /** Starts the command with pipes. */
  static start(words: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
    return new CliProcess(spawn(process.execPath, [BIN, ...words], { env: bareEnv(env) }))
  }

  /** Starts the command in a pseudo-terminal of its own; both its outputs are `stdout` then. */
  static startInTerminal(words: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
    const command = `stty cols 100 rows 30; exec ${[process.execPath, BIN, ...words].map(shellWord).join(' ')}`
    const script =
      process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null']
    return new CliProcess(spawn(PSEUDO_TERMINAL, script, { env: bareEnv({ TERM: 'xterm-256color', ...env }) }))
  }

  /** Ctrl-C: a keystroke in a terminal, the signal itself elsewhere. */
  interrupt(how: 'key' | 'signal'): void {
    if (how === 'key') this.#child.stdin.write('\u0003')
    else this.#child.kill('SIGINT')
  }

  /** Resolves once the output holds this text; rejects when the command ends without it. */
  async until(text: string): Promise<void> {
    const hasIt = () => (this.#stdout + this.#stderr).includes(text)
    while (!hasIt()) {
      const more = new AbortController()
      const { signal } = more
      const next = [once(this.#child.stdout, 'data', { signal }), once(this.#child.stderr, 'data', { signal })]
      await Promise.race([...next, this.#closed])
      more.abort()
      await Promise.allSettled(next)
      if (this.#child.exitCode !== null && !hasIt())
        throw new Error(`ended without "${text}":\n${this.#stdout}${this.#stderr}`)
    }
  }

  /** Stops reading the command's output, as `head` does. */
  closeOutput(): void {
    this.#child.stdout.destroy()
  }

  /** Writes to the command's input, ends it, and waits for the end of the command. */
  async end(input = ''): Promise<CliEnding> {
    this.#child.stdin.end(input)
    return this.ended()
  }

  /** Waits for the end of the command and leaves its input open. */
  async ended(): Promise<CliEnding> {
    await this.#closed
    return { code: this.#child.exitCode, stdout: this.#stdout, stderr: this.#stderr }
  }
}

/** Nothing of the environment in which the tests run may change what the command does. */
function bareEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, ...env }
}
