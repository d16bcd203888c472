import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { Redis } from 'ioredis'
import { checkServer, explainRefusal } from '../src/index.js'
import { findFreePort } from './place/redis-place.js'
import { type RedisServer, startRedisServer } from './place/redis-server.js'

const PASSWORD = 'the-password'
let redis: RedisServer
let admin: Redis

beforeAll(async () => {
  redis = await startRedisServer()
  admin = new Redis(redis.url)
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await admin.config('SET', 'requirepass', PASSWORD)
  admin.disconnect()
  admin = new Redis(urlWith(`:${PASSWORD}@`))
})

afterAll(async () => {
  admin.disconnect()
  await redis.remove()
})

function urlWith(credentials: string): string {
  return `redis://${credentials}127.0.0.1:${redis.port}`
}

const OWN_URL = () => urlWith(`:${PASSWORD}@`)

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
    (thrown) => {
      if (!(thrown instanceof HubError)) throw thrown
      return { code: thrown.code, reason: thrown.reason, nextStep: thrown.details.nextStep }
    },
  )
}

function refusal(reason: RegExp, nextStep: RegExp): unknown {
  return {
    code: 'HUB_UNAVAILABLE',
    reason: expect.stringMatching(reason),
    nextStep: expect.stringMatching(nextStep),
  }
}

describe('the check of a server that somebody else runs', () => {
  test('accepts one that will do and leaves nothing in it', async () => {
    expect(await checkServer(OWN_URL())).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), warnings: [] })
    expect(await admin.dbsize()).toBe(0)
  })

  test('asks for the password that the server asks for', async () => {
    expect(await refusalOf(urlWith(''))).toEqual(refusal(/asks for a password/, /redis:\/\/:password@host:port/))
  })

  test('tells a wrong password, without showing it', async () => {
    const refused = await refusalOf(urlWith(':not-the-password@'))
    expect(refused).toEqual(
      refusal(/at redis:\/\/127\.0\.0\.1:\d+ refuses this password/, /Correct the user and password/),
    )
    expect(JSON.stringify(refused)).not.toContain('not-the-password')
  })

  test('refuses one that evicts keys', async () => {
    const refused = await withSetting('maxmemory-policy', 'allkeys-lru', () => refusalOf(OWN_URL()))
    expect(refused).toEqual(refusal(/maxmemory-policy allkeys-lru/, /CONFIG SET maxmemory-policy noeviction/))
  })

  test('warns of one that forgets, and of one with little memory', async () => {
    const facts = await withSetting('appendonly', 'no', () =>
      withSetting('maxmemory', String(32 * 1024 * 1024), () => checkServer(OWN_URL())),
    )
    expect(facts.warnings).toEqual([
      expect.stringMatching(/keeps no append-only file, so its restart loses every trace/),
      expect.stringMatching(/may use only 32 MiB \(maxmemory\) where 64 MiB or more are wanted/),
    ])
    expect(facts.warnings.join()).not.toContain(PASSWORD)
  })

  test('refuses one whose memory is full', async () => {
    const refused = await withSetting('maxmemory', '1', () => refusalOf(OWN_URL()))
    expect(refused).toEqual(refusal(/its memory is full/, /Raise its maxmemory/))
  })

  test('refuses a replica', async () => {
    await admin.replicaof('127.0.0.1', await findFreePort())
    const refused = await refusalOf(OWN_URL())
    await admin.replicaof('NO', 'ONE')
    expect(refused).toEqual(refusal(/is a read-only replica/, /primary/))
  })

  test('refuses a user who may not do what SyncHub does', async () => {
    await admin.acl('SETUSER', 'reader', 'on', '>secret', '~*', '+@read', '+info')
    const refused = await refusalOf(urlWith('reader:secret@'))
    await admin.acl('DELUSER', 'reader')
    expect(refused).toEqual(refusal(/does not allow this user/, /\+@all/))
  })

  test('tells that nothing listens', async () => {
    const refused = await refusalOf(`redis://127.0.0.1:${await findFreePort()}`)
    expect(refused).toEqual(refusal(/nothing listens there/, /correct host and port/))
  })

  test('tells a host that does not exist', async () => {
    expect(await refusalOf('redis://no-such-host.invalid:6379')).toEqual(
      refusal(/does not resolve/, /Correct the host/),
    )
  })

  test.each([
    ['EHOSTUNREACH', 'connect EHOSTUNREACH 10.1.2.3:6379', 'cannot be reached: no route leads there'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      "Hostname/IP does not match certificate's altnames: Host: inner.example",
      'cannot be used (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
  ])('told whoever asks for the readiness where the server is, in the words of %s', (code, words, meaning) => {
    const { reason } = explainRefusal(Object.assign(new Error(words), { code }), 'REDIS_URL')
    expect(reason).toBe(`Redis: the server at REDIS_URL ${meaning}`)
  })

  test.each(['', 'localhost:6379', 'http://127.0.0.1:6379', '/var/run/redis.sock'])(
    'refuses %j, which is no Redis URL',
    async (url) => {
      expect(await refusalOf(url)).toEqual(refusal(/is not the URL of a Redis/, /redis:\/\/user:password@host:port/))
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
        expect(await refusalOf(url)).toEqual(refusal(/is version 6\.2\.14, SyncHub needs 7\.0\.0/, /Upgrade it/))
      },
    )
  })

  test('refuses one that is too old even for the greeting', async () => {
    await withServer(
      () => '-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n',
      async (url) => {
        expect(await refusalOf(url)).toEqual(refusal(/is too old, from before version 6/, /Upgrade it to Redis 7/))
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
      expect(await refusalOf(`${whole}, ${whole}`)).toEqual({
        version: '7.2.4',
        warnings: [expect.stringMatching(/keeps no append-only file/)],
      })
      await withServer(node('fail'), async (broken) => {
        expect(await refusalOf(`${whole},${broken}`)).toEqual(refusal(/cluster that is not whole/, /CLUSTER INFO/))
      })
    })
  })

  test('tells what is strange about a web server', async () => {
    await withServer(
      () => 'HTTP/1.1 400 Bad Request\r\n\r\n',
      async (url) => {
        expect(await refusalOf(url)).toEqual(refusal(/cannot be used/, /Check that it is a Redis/))
      },
    )
  })
})
