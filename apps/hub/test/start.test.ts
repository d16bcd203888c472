import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { RedisLink } from '@synchub/redis'
import { atEnd, closeAll } from './cleanup.js'
import { openPlace, sharedRedis } from './running-hub.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** A user of Redis who may do everything but listen to more than the catalogue: whoever starts as this user gets halfway. */
async function limitedUser(prefix: string) {
  const name = `halfway-${randomUUID()}`
  const url = new URL(sharedRedis())
  url.username = name
  url.password = 'halfway'
  const place = await openPlace({ prefix, hubRedisUrl: url.href, dispatcherRedisUrl: url.href, ...WORK })
  const { commands, keys } = place.link
  await commands.call(
    'ACL',
    'SETUSER',
    name,
    'on',
    '>halfway',
    '~*',
    '+@all',
    'resetchannels',
    `&${keys.catalogueChannel}`,
  )
  atEnd(() => commands.call('ACL', 'DELUSER', name))
  return { place, connections: () => connectionsOf(name, place.link) }
}

/** Something of every kind that is opened at the start. */
const WORK = {
  agents: { Agent: { url: 'http://127.0.0.1:9' } },
  publicPaths: { '/hr': { name: 'hr', url: 'http://127.0.0.1:9', manifest: 'manifest.json' } },
}

async function connectionsOf(user: string, { commands }: RedisLink): Promise<number> {
  return String(await commands.client('LIST'))
    .split('\n')
    .filter((line) => line.includes(` user=${user} `)).length
}

describe('a start that fails when half of it is done', () => {
  test.concurrent.each(['startHub', 'startDispatcher'] as const)('keeps no connection: %s', async (start) => {
    const { place, connections } = await limitedUser(`test-${randomUUID()}`)
    await expect(place[start]()).rejects.toMatchObject({ code: 'HUB_UNAVAILABLE' })
    await until(async () => (await connections()) === 0)
  })
})
