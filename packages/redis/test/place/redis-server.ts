import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { atEnd } from './cleanup.js'
import { findFreePort, serverProgram } from './redis-place.js'

/** A server of one test, which may stop it and start it again at the same address. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** Stops it in its tracks: connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Starts a server on a free port; what is written survives a kill. */
export async function startRedisServer(args: readonly string[] = []): Promise<RedisServer> {
  const port = await findFreePort()
  const dir = await mkdtemp(join(tmpdir(), 'synchub-redis-'))
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes']
  const launch = () => spawn(serverProgram(), [...own, ...args], { stdio: 'ignore' })
  let child = launch()
  await waitUntilReady(port)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = launch()
      await waitUntilReady(port)
    },
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(dir, { recursive: true })
    },
  }
}

/** Starts a server that is removed at the end of the test. */
export async function startTestServer(): Promise<RedisServer> {
  const server = await startRedisServer()
  atEnd(() => server.remove())
  return server
}

const GIVE_UP_MS = 20_000

async function waitUntilReady(port: number): Promise<void> {
  const givenUpAt = Date.now() + GIVE_UP_MS
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  client.connect().catch(() => undefined)
  while (client.status !== 'ready') {
    if (Date.now() > givenUpAt) throw new Error(`the Redis server at port ${port} did not start`)
    await delay(10)
  }
  client.disconnect()
}
