import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { findFreePort } from '../../src/redis/free-port.js'
import { checkServer } from '../../src/redis/server-check.js'
import { type RunningRedis, startRedis } from '../../src/redis/start-redis.js'
import { CONFIG_FILE, makeScratchDir, PROGRAM_DIR } from './scratch.js'

let scratch: Awaited<ReturnType<typeof makeScratchDir>>
let redis: RunningRedis
let admin: Redis

beforeAll(async () => {
  scratch = await makeScratchDir()
  const onProgress = (): void => undefined
  redis = await startRedis({
    dataDir: join(scratch.path, 'data'),
    programDir: PROGRAM_DIR,
    configFile: CONFIG_FILE,
    onProgress,
  })
  admin = new Redis(redis.url)
})

afterAll(async () => {
  admin.disconnect()
  await redis.stop()
  await scratch.remove()
})

function urlWith(credentials: string): string {
  return `redis://${credentials}127.0.0.1:${new URL(redis.url).port}`
}

/** Changes a setting for the time of a check. */
async function withSetting<Answer>(name: string, value: string, check: () => Promise<Answer>): Promise<Answer> {
  const [, before = ''] = await admin.config('GET', name)
  await admin.config('SET', name, value)
  try {
    return await check()
  } finally {
    await admin.config('SET', name, before)
  }
}

async function refusalOf(url: string): Promise<unknown> {
  return checkServer(url).then(
    (facts) => facts,
    ({ name, message, remedy }) => ({ name, message, remedy }),
  )
}

function startError(message: RegExp, remedy: RegExp): unknown {
  return { name: 'StartError', message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) }
}

describe('the check of a server that somebody else runs', () => {
  test('accepts one that will do and leaves nothing in it', async () => {
    expect(await checkServer(redis.url)).toEqual({ version: redis.version, isDurable: true })
    expect(await admin.dbsize()).toBe(0)
  })

  test('asks for the password that the server asks for', async () => {
    expect(await refusalOf(urlWith(''))).toEqual(startError(/asks for a password/, /redis:\/\/:password@host:port/))
  })

  test('tells a wrong password, without showing it', async () => {
    const refusal = await refusalOf(urlWith(':not-the-password@'))
    expect(refusal).toEqual(
      startError(/at redis:\/\/127\.0\.0\.1:\d+ refuses this password/, /Correct the user and password/),
    )
    expect(JSON.stringify(refusal)).not.toContain('not-the-password')
  })

  test('refuses one that evicts keys', async () => {
    const refusal = await withSetting('maxmemory-policy', 'allkeys-lru', () => refusalOf(redis.url))
    expect(refusal).toEqual(startError(/maxmemory-policy allkeys-lru/, /CONFIG SET maxmemory-policy noeviction/))
  })

  test('refuses one whose memory is full', async () => {
    const refusal = await withSetting('maxmemory', '1', () => refusalOf(redis.url))
    expect(refusal).toEqual(startError(/its memory is full/, /Raise its maxmemory/))
  })

  test('refuses a replica', async () => {
    await admin.replicaof('127.0.0.1', await findFreePort())
    const refusal = await refusalOf(redis.url)
    await admin.replicaof('NO', 'ONE')
    expect(refusal).toEqual(startError(/is a read-only replica/, /primary/))
  })

  test('refuses a user who may not do what SyncHub does', async () => {
    await admin.acl('SETUSER', 'reader', 'on', '>secret', '~*', '+@read', '+info')
    const refusal = await refusalOf(urlWith('reader:secret@'))
    await admin.acl('DELUSER', 'reader')
    expect(refusal).toEqual(startError(/does not allow this user/, /\+@all/))
  })

  test('tells that nothing listens', async () => {
    const refusal = await refusalOf(`redis://127.0.0.1:${await findFreePort()}`)
    expect(refusal).toEqual(startError(/nothing listens there/, /correct host and port/))
  })

  test('tells a host that does not exist', async () => {
    expect(await refusalOf('redis://no-such-host.invalid:6379')).toEqual(
      startError(/does not resolve/, /Correct the host/),
    )
  })

  test.each(['', 'localhost:6379', 'http://127.0.0.1:6379', '/var/run/redis.sock'])(
    'refuses %j, which is no Redis URL',
    async (url) => {
      expect(await refusalOf(url)).toEqual(startError(/is not the URL of a Redis/, /redis:\/\/user:password@host:port/))
    },
  )
})

describe('the check of a server that nobody should run SyncHub on', () => {
  /** Answers each command by its name, as much of the protocol as a check needs. */
  async function withServer(answer: (command: string) => string, check: (url: string) => Promise<void>): Promise<void> {
    const server = createServer((socket) => {
      socket.setEncoding('utf8').on('error', () => undefined)
      socket.on('data', (text: string) => {
        for (const [, command = ''] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
          socket.write(answer(command.toUpperCase()))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    try {
      await check(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    } finally {
      await server[Symbol.asyncDispose]()
    }
  }

  test('refuses one that is too old', async () => {
    const info = 'redis_version:6.2.14\r\nmaxmemory_policy:noeviction\r\nrole:master\r\n'
    await withServer(
      (command) => (command === 'INFO' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n'),
      async (url) => {
        expect(await refusalOf(url)).toEqual(startError(/is version 6\.2\.14, SyncHub needs 7\.0\.0/, /Upgrade it/))
      },
    )
  })

  test('refuses one that is too old even for the greeting', async () => {
    await withServer(
      () => '-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n',
      async (url) => {
        expect(await refusalOf(url)).toEqual(startError(/is too old, from before version 6/, /Upgrade it to Redis 7/))
      },
    )
  })

  test('checks every node of a cluster, and that the cluster is whole', async () => {
    const info = (state: string): string => {
      const facts = `redis_version:7.2.4\r\nmaxmemory_policy:noeviction\r\ncluster_enabled:1\r\ncluster_state:${state}\r\n`
      return `$${facts.length}\r\n${facts}\r\n`
    }
    const node = (state: string) => (command: string) => (/INFO|CLUSTER/.test(command) ? info(state) : '+OK\r\n')
    await withServer(node('ok'), async (whole) => {
      expect(await refusalOf(`${whole}, ${whole}`)).toEqual({ version: '7.2.4', isDurable: false })
      await withServer(node('fail'), async (broken) => {
        expect(await refusalOf(`${whole},${broken}`)).toEqual(startError(/cluster that is not whole/, /CLUSTER INFO/))
      })
    })
  })

  test('tells what is strange about a web server', async () => {
    await withServer(
      () => 'HTTP/1.1 400 Bad Request\r\n\r\n',
      async (url) => {
        expect(await refusalOf(url)).toEqual(startError(/cannot be used/, /Check that it is a Redis/))
      },
    )
  })
})
