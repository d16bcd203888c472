import { once } from 'node:events'
import { appendFile, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { readCommandLine } from '../../src/redis/process-identity.js'
import { type RedisStart, type RunningRedis, startRedis } from '../../src/redis/start-redis.js'
import { CONFIG_FILE, makeScratchDir, PROGRAM_DIR } from './scratch.js'

let scratch: Awaited<ReturnType<typeof makeScratchDir>>
let running: RunningRedis[]
let progress: string[]

beforeEach(async () => {
  scratch = await makeScratchDir()
  running = []
  progress = []
})

afterEach(async () => {
  await Promise.all(running.map((redis) => redis.stop()))
  await scratch.remove()
})

async function start(options: Partial<RedisStart> = {}): Promise<RunningRedis> {
  const redis = await startRedis({
    dataDir: join(scratch.path, 'data'),
    programDir: PROGRAM_DIR,
    configFile: CONFIG_FILE,
    onProgress: (line) => progress.push(line),
    ...options,
  })
  running.push(redis)
  return redis
}

async function withClient<Answer>(url: string, ask: (client: Redis) => Promise<Answer>): Promise<Answer> {
  const client = new Redis(url, { retryStrategy: () => null })
  // A refusal reaches the test by the command that met it.
  client.on('error', () => undefined)
  try {
    return await ask(client)
  } finally {
    if (client.status !== 'end') client.disconnect()
  }
}

describe('startRedis', () => {
  test('starts a server that evicts nothing, logs every write and hears this machine only', async () => {
    const { url, version } = await start()
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const settings = await withClient(url, (client) =>
      client.config('GET', 'maxmemory-policy', 'append*', 'bind', 'save'),
    )
    expect(settings).toEqual(
      expect.arrayContaining(['noeviction', 'appendonly', 'yes', 'everysec', 'bind', '127.0.0.1 -::1', 'save', '']),
    )
  })

  test('keeps other users of the machine out', async () => {
    const { url } = await start()
    const { port } = new URL(url)
    await expect(withClient(`redis://127.0.0.1:${port}`, (client) => client.ping())).rejects.toThrow('NOAUTH')
  })

  test('shows the password to nobody who lists processes or files', async () => {
    const { url } = await start()
    const { password } = new URL(url)
    const pid = await withClient(url, async (client) => /process_id:(\d+)/.exec(await client.info('server'))?.[1])
    expect(await readCommandLine(Number(pid))).toMatch(/^redis-server synchub:[0-9a-f]{16} *$/)
    const files = await readdir(join(scratch.path, 'data'))
    expect(files.join()).not.toContain(password)
  })

  test('keeps what was written over a restart', async () => {
    const first = await start()
    await withClient(first.url, (client) => client.xadd('trace', '1-1', 'event', 'received'))
    await first.stop()
    const second = await start()
    const entries = await withClient(second.url, (client) => client.xrange('trace', '-', '+'))
    expect(entries).toEqual([['1-1', ['event', 'received']]])
  })

  test('leaves nothing running after stop, which may be called again', async () => {
    const redis = await start()
    const pid = await withClient(redis.url, async (client) => /process_id:(\d+)/.exec(await client.info('server'))?.[1])
    await redis.stop()
    await redis.stop()
    expect(await readCommandLine(Number(pid))).toBeUndefined()
    expect(await redis.ended).toContain('bye bye')
  })

  test('tells when the server ends by itself', async () => {
    const redis = await start()
    await expect(withClient(redis.url, (client) => client.shutdown('NOSAVE'))).rejects.toThrow(/closed/i)
    expect(await redis.ended).toContain('ready to exit')
  })

  test('refuses a second server on the same data folder, by whatever path it is named', async () => {
    await start()
    await expect(start({ dataDir: join(scratch.path, 'data', '..', 'data') })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(`another SyncHub (process ${process.pid}) runs on the same data folder`),
      remedy: expect.stringContaining(`kill ${process.pid}`),
    })
  })

  test('names a data folder that is a file', async () => {
    const dataDir = join(scratch.path, 'file')
    await writeFile(dataDir, '')
    await expect(start({ dataDir })).rejects.toMatchObject({
      message: expect.stringContaining(`${dataDir} cannot be made`),
    })
  })

  test('names a data folder below one that nobody may write', async () => {
    // These refuse root too, whom the permissions of ordinary folders do not stop.
    const dataDir = process.platform === 'linux' ? '/sys/synchub' : '/System/synchub'
    await expect(start({ dataDir })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(`the data folder ${dataDir} cannot be made or written`),
      remedy: expect.stringContaining('another data folder'),
    })
  })

  test('says that a damaged log keeps the server from starting, and can start again once that is mended', async () => {
    const first = await start()
    await withClient(first.url, (client) => client.set('key', 'value'))
    await first.stop()
    const logDir = join(scratch.path, 'data', 'appendonlydir')
    const log = (await readdir(logDir)).find((name) => name.endsWith('.incr.aof')) ?? ''
    await appendFile(join(logDir, log), 'this is no command\r\n*1\r\n$4\r\nPING\r\n')
    await expect(start()).rejects.toMatchObject({
      message: expect.stringMatching(/ended while it was starting: Bad file format reading the append only file/),
      remedy: expect.stringContaining('redis-check-aof --fix'),
    })
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining('ended while it was starting') })
  })

  test('says what is wrong with its settings', async () => {
    const configFile = join(scratch.path, 'redis.conf')
    await writeFile(configFile, 'appendonly perhaps\n')
    await expect(start({ configFile })).rejects.toMatchObject({
      message: expect.stringContaining('ended while it was starting'),
      remedy: expect.stringContaining('appendonly perhaps'),
    })
  })

  test('gives up when asked, leaving no server and a free folder behind', async () => {
    const aborted = new AbortController()
    aborted.abort(new Error('the user pressed Ctrl-C'))
    await expect(start({ signal: aborted.signal })).rejects.toThrow('the user pressed Ctrl-C')
    const redis = await start()
    expect(await withClient(redis.url, (client) => client.ping())).toBe('PONG')
  })

  test('uses the server that a URL names and leaves it running', async () => {
    const own = await start()
    const { url, stop } = await start({ url: own.url, dataDir: '/sys/never-touched' })
    expect(url).toBe(own.url)
    await stop()
    expect(await withClient(own.url, (client) => client.ping())).toBe('PONG')
    expect(progress).toEqual([])
  })

  test('warns of a server that forgets everything at its restart', async () => {
    const own = await start()
    await withClient(own.url, (client) => client.config('SET', 'appendonly', 'no'))
    await start({ url: own.url })
    expect(progress).toEqual([expect.stringContaining('its restart loses every trace')])
  })

  test('starts in a folder whose name has spaces and quotes', async () => {
    const { url } = await start({ dataDir: join(scratch.path, `a "data" folder's name`) })
    expect(await withClient(url, (client) => client.ping())).toBe('PONG')
  })

  test('makes a data folder that only its user can read', async () => {
    await start()
    expect((await stat(join(scratch.path, 'data'))).mode & 0o777).toBe(0o700)
  })
})

describe('a port that is taken', () => {
  test('does not keep servers from starting side by side', async () => {
    const blockers = Array.from({ length: 20 }, () => createServer().listen(0, '127.0.0.1'))
    await Promise.all(blockers.map((blocker) => once(blocker, 'listening')))
    const servers = await Promise.all(['a', 'b', 'c'].map((name) => start({ dataDir: join(scratch.path, name) })))
    expect(new Set(servers.map(({ url }) => new URL(url).port)).size).toBe(3)
    await Promise.all(blockers.map((blocker) => blocker[Symbol.asyncDispose]()))
  })
})
