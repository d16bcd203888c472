import { spawn } from 'node:child_process'

/** What a command that ran to its end has left. */
export interface CommandOutcome {
  /** Exit code; undefined when a signal ended the command. */
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** How to run a command. */
export interface CommandOptions {
  /** Working folder; this process's own by default. */
  readonly cwd?: string
  /** Sends the command SIGINT, which package tools answer by ending in good order. The call then rejects with the reason. */
  readonly signal?: AbortSignal | undefined
}

/** Bound on what is kept of each of a command's two outputs, in characters; the end is kept, for there stands the error. */
const MAX_OUTPUT_CHARS = 1_000_000

/**
 * Runs a command without a shell and without a terminal, and waits for its end. An exit code other than 0 is an outcome.
 *
 * @throws the system's error (`code` is `ENOENT`) when there is no such command, and the signal's reason once it aborts.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, signal }: CommandOptions = {},
): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const interrupt = (): boolean => child.kill('SIGINT')
    signal?.addEventListener('abort', interrupt, { once: true })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_OUTPUT_CHARS)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_OUTPUT_CHARS)
    })
    child.once('error', reject)
    child.once('close', (exitCode) => {
      signal?.removeEventListener('abort', interrupt)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve({ exitCode: exitCode ?? undefined, stdout, stderr })
    })
  })
}
