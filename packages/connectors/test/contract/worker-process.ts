import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../cleanup.js'
import { until } from '../until.js'

/** The program of the worker. */
export const WORKER = fileURLToPath(new URL('../fixtures/worker.mjs', import.meta.url))

/** What a worker has written down of its work. */
export interface Notes {
  readonly file: string
  lines(): readonly string[]
  /** Waits for a line. */
  has(line: string): Promise<void>
}

/** A new file for notes, until the end of the test. */
export function openNotes(): Notes {
  const dir = mkdtempSync(join(tmpdir(), 'synchub-notes-'))
  const file = join(dir, 'notes.txt')
  writeFileSync(file, '')
  atEnd(async () => rmSync(dir, { recursive: true }))
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return { file, lines, has: (line) => until(() => lines().includes(line), `the worker notes "${line}"`) }
}

/** A worker that listens over HTTP. */
export interface HttpWorker {
  readonly url: string
  readonly notes: Notes
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  revive(): Promise<void>
}

/** Starts a worker over HTTP in a process of its own. */
export async function startHttpWorker(surface: string, secret?: string): Promise<HttpWorker> {
  const notes = openNotes()
  let running = await spawnWorker(surface, notes, '0', secret)
  const { url } = running
  const kill = async () => {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  atEnd(kill)
  return {
    url,
    notes,
    kill,
    async revive() {
      running = await spawnWorker(surface, notes, new URL(url).port, secret)
    },
  }
}

async function spawnWorker(
  surface: string,
  notes: Notes,
  port: string,
  secret: string | undefined,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [WORKER, surface, port], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NOTES_FILE: notes.file, ...(secret === undefined ? {} : { WORKER_SECRET: secret }) },
  })
  const [url] = await once(createInterface(child.stdout), 'line')
  return { child, url: String(url) }
}
