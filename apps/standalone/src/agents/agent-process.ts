import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { StartError } from '../start-error.js'

/** How an agent's process is run. */
export interface AgentProcessOptions {
  readonly name: string
  readonly program: string
  /** Its whole environment; `PORT` is added. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where its output goes. */
  readonly logFile: string
  /** Told when the agent has ended by itself and will be started again. */
  onRestart(reason: string): void
}

/** A running agent, started again whenever it ends by itself. */
export interface AgentProcess {
  /** Stays the same over restarts. */
  readonly url: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 20_000
// Longer than an agent gives its running work once it stops, so that no work is cut in the middle.
const STOP_TIMEOUT_MS = 12_000
const FIRST_RESTART_MS = 500
const LONGEST_RESTART_MS = 30_000
/** A run of this length counts as healthy: the next restart comes soon again. */
const HEALTHY_AFTER_MS = 60_000

/**
 * Starts an agent in a process of its own and waits until it says where it listens. Its process group is its own too: a Ctrl-C
 * reaches only us, and we end the agents after the hub. Should we be killed, it sees the channel to us close and ends.
 * @throws StartError with the agent's own last words
 */
export async function startAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  let stopping = false
  let restarts = 0
  let timer: NodeJS.Timeout | undefined
  const first = await launch(options, '0')
  const { url } = first
  let child = first.child

  const watch = (running: ChildProcess) => {
    const startedAt = performance.now()
    running.once('exit', (code, signal) => {
      if (stopping) return
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) restarts = 0
      const delayMs = Math.min(FIRST_RESTART_MS * 2 ** restarts, LONGEST_RESTART_MS)
      restarts += 1
      options.onRestart(`ended with ${signal ?? `exit code ${code}`}; starting it again in ${delayMs} ms`)
      timer = setTimeout(restart, delayMs)
    })
  }
  const restart = () => {
    launch(options, new URL(url).port).then(
      ({ child: next }) => {
        child = next
        if (stopping) next.kill('SIGTERM')
        else watch(next)
      },
      (thrown: unknown) => {
        if (stopping) return
        options.onRestart(thrown instanceof Error ? thrown.message : String(thrown))
        timer = setTimeout(restart, LONGEST_RESTART_MS)
      },
    )
  }
  watch(child)
  return {
    url,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await end(child)
    },
  }
}

async function launch(
  { name, program, environment, logFile }: AgentProcessOptions,
  port: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...environment, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  let lastWords = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk)
      lastWords = (lastWords + chunk.toString()).slice(-2000)
    })
  }
  child.once('close', () => log.end())
  const limit = AbortSignal.timeout(START_TIMEOUT_MS)
  try {
    const url = await Promise.race([
      once(child, 'message', { signal: limit }).then(([message]) => readUrl(message)),
      once(child, 'exit', { signal: limit }).then(() => undefined),
    ])
    if (url !== undefined) return { child, url }
  } catch (thrown) {
    if (!limit.aborted) throw thrown
    child.kill('SIGKILL')
  }
  const words = lastWords.trim().split('\n').at(-1) ?? ''
  throw new StartError(
    `Agents: ${name} did not start${words === '' ? '' : `: ${words}`}`,
    `Read ${logFile}, mend what it says and start again.`,
  )
}

function readUrl(message: unknown): string {
  if (typeof message === 'object' && message !== null && 'listening' in message) return String(message.listening)
  throw new Error('the agent did not say where it listens')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}
