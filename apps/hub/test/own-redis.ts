import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { atEnd } from './cleanup.js'
import { until } from './until.js'

/** A Redis of one test, whose settings and life are its own. */
export interface OwnRedis {
  readonly url: string
  /** For questions of the test. */
  readonly client: Redis
  /** SIGSTOP: connections stay open and nothing answers. */
  freeze(): void
  /** SIGCONT: what was sent meanwhile is done now. */
  thaw(): void
}

/** Starts a Redis on a free port, until the end of the test. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const program = process.env.SYNCHUB_TEST_REDIS_SERVER
  if (program === undefined) throw new Error('run the tests with infra/checks/jest.config.mjs')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const dir = await mkdtemp(join(tmpdir(), 'synchub-own-redis-'))
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes']
  const child = spawn(program, args, { stdio: 'ignore' })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  atEnd(async () => {
    client.disconnect()
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(dir, { recursive: true })
  })
  await until(async () => (await client.ping()) === 'PONG')
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
}
