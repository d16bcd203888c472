import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { readCommandLine } from '../../src/redis/process-identity.js'
import { type RunningRedis, startRedis } from '../../src/redis/start-redis.js'
import { CONFIG_FILE, makeScratchDir, PROGRAM_DIR } from './scratch.js'

const HOLDER = fileURLToPath(new URL('redis-holder.mjs', import.meta.url))

/** A SyncHub that holds a Redis, in a process group of its own as a terminal would give it. */
interface Holder {
  readonly process: ChildProcess
  readonly lines: Interface
  readonly url: string
  readonly serverPid: number
}

let scratch: Awaited<ReturnType<typeof makeScratchDir>>
let dataDir: string
let holders: Holder[]

beforeEach(async () => {
  scratch = await makeScratchDir()
  dataDir = join(scratch.path, 'data')
  holders = []
})

afterEach(async () => {
  for (const holder of holders) {
    holder.process.kill('SIGKILL')
    await untilEnded(holder.serverPid)
  }
  await scratch.remove()
})

async function startHolder(): Promise<Holder> {
  const args = [HOLDER, dataDir, PROGRAM_DIR, CONFIG_FILE]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const [url] = (await once(lines, 'line')) as [string]
  const serverPid = Number(await readFile(join(dataDir, 'redis.pid'), 'utf8'))
  const holder = { process: child, lines, url, serverPid }
  holders.push(holder)
  return holder
}

async function startNext(onProgress: (line: string) => void = () => undefined): Promise<RunningRedis> {
  return startRedis({ dataDir, programDir: PROGRAM_DIR, configFile: CONFIG_FILE, onProgress })
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function isRunning(pid: number): Promise<boolean> {
  return (await readCommandLine(pid))?.includes('synchub:') === true
}

async function untilEnded(pid: number): Promise<void> {
  while (await isRunning(pid)) await delay(10)
}

/** Number of the process that ends the server with its SyncHub: the server's only child. */
function findWatcherPid(serverPid: number): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = processes.map((line) => line.trim().split(/ +/).map(Number))
  return pairs.find(([, parentPid]) => parentPid === serverPid)?.[0] ?? 0
}

async function readKey(url: string, key: string): Promise<string | null> {
  const client = new Redis(url)
  try {
    return await client.get(key)
  } finally {
    client.disconnect()
  }
}

describe('a Redis whose SyncHub was killed with -9', () => {
  test('ends by itself', async () => {
    const holder = await startHolder()
    expect(await isRunning(holder.serverPid)).toBe(true)
    await kill(holder.process)
    await untilEnded(holder.serverPid)
    expect(await isRunning(holder.serverPid)).toBe(false)
  })

  test('has kept what was written, for a start that follows at once', async () => {
    const holder = await startHolder()
    const client = new Redis(holder.url, { retryStrategy: () => null })
    await client.set('trace', 'received')
    client.disconnect()
    await kill(holder.process)
    const next = await startNext()
    const value = await readKey(next.url, 'trace')
    await next.stop()
    expect(value).toBe('received')
  })

  test('is ended by the next start, should its watcher have been killed too', async () => {
    const holder = await startHolder()
    process.kill(findWatcherPid(holder.serverPid), 'SIGKILL')
    await kill(holder.process)
    expect(await isRunning(holder.serverPid)).toBe(true)
    const lines: string[] = []
    const next = await startNext((line) => lines.push(line))
    const wasRunning = await isRunning(holder.serverPid)
    await next.stop()
    expect(wasRunning).toBe(false)
    expect(lines).toEqual([expect.stringContaining(`left running (process ${holder.serverPid})`)])
  })

  test('goes to exactly one of several starts at once', async () => {
    const holder = await startHolder()
    await kill(holder.process)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => startNext()))
    const started = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    await Promise.all(started.map(({ value }) => value.stop()))
    expect(started).toHaveLength(1)
  })
})

describe('a Ctrl-C in the terminal', () => {
  test('reaches SyncHub, and Redis only by way of it', async () => {
    const holder = await startHolder()
    const nextLine = once(holder.lines, 'line')
    process.kill(-(holder.process.pid ?? 0), 'SIGINT')
    expect(await nextLine).toEqual(['PONG'])
    await once(holder.process, 'exit')
    expect(holder.process.exitCode).toBe(0)
    expect(await isRunning(holder.serverPid)).toBe(false)
  })
})
