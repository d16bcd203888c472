import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from './cleanup.js'

/** The agent of the connectors' own tests: the same tools behind every surface, and notes of what it does. */
const WORKER = fileURLToPath(new URL('../../../packages/connectors/test/fixtures/worker.mjs', import.meta.url))

/** An agent in a process of its own, reached over one of the connectors. */
export interface WorkerAgent {
  /** How the configuration names it. */
  readonly reach: JsonObject
  /** What it has noted: `started <label>` and `aborted <label>` of its tool `wait`. */
  notes(): Promise<readonly string[]>
}

/** Starts the worker behind an HTTP surface; or leaves that to the dispatcher, where it is a child process. */
export async function startWorker(
  connector: 'native' | 'mcp-http' | 'mcp-stdio' | 'tool-service',
  surface: string,
): Promise<WorkerAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'synchub-worker-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'notes.txt')
  await writeFile(file, '')
  const notes = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  if (connector === 'mcp-stdio') {
    const args = [WORKER, surface]
    return { reach: { connector, command: process.execPath, args, env: { NOTES_FILE: file } }, notes }
  }
  const child = spawn(process.execPath, [WORKER, surface], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NOTES_FILE: file },
  })
  const exited = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const [url] = await once(createInterface(child.stdout), 'line')
  const manifest = connector === 'tool-service' ? { manifest: 'manifest.json' } : {}
  return { reach: { connector, url: String(url), ...manifest }, notes }
}
