import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'

/** What a server is started with. */
export interface ServerSetting {
  /** The server program, as found by the search. */
  readonly command: string
  /** The commented settings that every SyncHub Redis has; what follows here is laid over them. */
  readonly configFile: string
  readonly dataDir: string
  readonly pidFile: string
  /** Shown as the process's title, by which a later start recognises the server of its data folder. */
  readonly title: string
  /** TCP port on 127.0.0.1. */
  readonly port: number
  /** Keeps other users of this machine out; reaches the server over its standard input, not over its visible arguments. */
  readonly password: string
}

/** A server that was started, as a child of this process. */
export interface ServerProcess {
  /** Resolves once the server has ended, for whatever reason, with the end of what it wrote. */
  readonly ended: Promise<string>
  /** Lets the server write its log to disk and end, kills it when that takes over 10 s, and waits for its end. */
  stop(): Promise<void>
}

/** How long a server may take to end after it was asked, in milliseconds. */
const STOP_PATIENCE_MS = 10_000

/** How much of a server's output is kept to explain its end, in characters. */
const KEPT_OUTPUT_CHARS = 4_000

/**
 * Becomes the server, after leaving a watcher behind that ends it when file 3 closes without a word. That is a pipe of
 * which only the starting process holds the other end, so the server never outlives it, even if it is killed with -9.
 */
const LIFELINE_SCRIPT = '(read -r _ <&3 || kill -TERM $$) >/dev/null 2>&1 & exec "$@" 3<&-'

/**
 * Starts a server in a process group of its own, so that a Ctrl-C in the terminal does not reach it: it has to end last,
 * when hub and dispatcher have written what they hold. Does not wait until it answers.
 */
export function spawnServer(setting: ServerSetting): ServerProcess {
  const child = spawn('/bin/sh', ['-c', LIFELINE_SCRIPT, 'sh', setting.command, ...toArguments(setting)], {
    detached: true,
    cwd: setting.dataDir,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const [, , , lifeline] = child.stdio
  // Lets the watcher go before the number of the ended server can come again for another process.
  child.once('exit', () => lifeline instanceof Writable && lifeline.end('ended\n'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT_CHARS)
    })
  }
  // A server that ends before it has read its password says so by its end; the broken pipe adds nothing.
  child.stdin?.on('error', (error) => (output += `${error.message}\n`)).end(`requirepass ${setting.password}\n`)
  const ended = once(child, 'close').then(
    () => output,
    (error: unknown) => `${output}${String(error)}`,
  )
  return { ended, stop: () => endChild(child, ended) }
}

function toArguments({ configFile, dataDir, pidFile, title, port }: ServerSetting): string[] {
  const settings = {
    dir: dataDir,
    pidfile: pidFile,
    port: String(port),
    'proc-title-template': `{title} ${title}`,
  }
  return [configFile, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), '-']
}

async function endChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
  await ended
  clearTimeout(killer)
}
