import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from './cleanup.js'
import { sharedRedis } from './running-hub.js'
import { until } from './until.js'

/** A hub or dispatcher as a process of its own, as it runs in production. */
export interface AppProcess {
  readonly child: ChildProcess
  /** Lines that it logged. */
  readonly lines: readonly string[]
  /** What it wrote to stderr. */
  stderr(): string
  /** Waits for a line with this message. */
  logged(message: string): Promise<JsonObject>
  /** Sends a signal and waits for the end; the exit code, or null after a signal that killed it. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
  /** Waits for an end that it comes to by itself. */
  readonly exited: Promise<number | null>
}

/** Writes a configuration and starts the program of an app with it. */
export async function startApp(
  app: 'hub' | 'dispatcher',
  config: JsonObject | string,
  environment: Readonly<Record<string, string>> = {},
): Promise<AppProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'synchub-app-'))
  const file = join(folder, 'synchub.config.json')
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config))
  const program = fileURLToPath(new URL(`../../${app}/dist/main.js`, import.meta.url))
  const child = spawn(process.execPath, [program], {
    env: { PATH: String(process.env.PATH), REDIS_URL: sharedRedis(), PORT: '0', SYNCHUB_CONFIG: file, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
    const whole = out.split('\n')
    out = whole.pop() ?? ''
    lines.push(...whole)
  })
  child.stderr.on('data', (chunk) => {
    err += String(chunk)
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  atEnd(async () => {
    if (isRunning()) child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true })
  })
  const find = (message: string) => lines.find((line) => line.includes(`"msg":"${message}"`))
  return {
    child,
    lines,
    stderr: () => err,
    exited,
    async logged(message) {
      await until(() => find(message) !== undefined || !isRunning())
      const line = find(message)
      if (line === undefined) throw new Error(`${app} ended without "${message}": ${err}${lines.join('\n')}`)
      return JSON.parse(line) as JsonObject
    },
    async end(signal) {
      child.kill(signal)
      return exited
    },
  }
}
