import { Readable, Writable } from 'node:stream'
import { readEnv } from '../src/env.js'
import { runCli } from '../src/program.js'
import type { Interrupts } from '../src/terminal/interrupts.js'

/** How a command line ended. */
export interface CommandEnding {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, as in pipes, to its end; a child process for each test would take most of the time. */
export async function runCommandLine(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  interrupts: Interrupts = { listen: () => () => undefined },
): Promise<CommandEnding> {
  const stdout = new TextSink()
  const stderr = new TextSink()
  const code = await runCli(words, readEnv(env), { stdin: Readable.from([input]), stdout, stderr, interrupts })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class TextSink extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
