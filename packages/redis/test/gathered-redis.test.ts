import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { GatheredRedis } from '../src/connection/gathered-redis.js'
import { atEnd, closeAll } from './place/cleanup.js'

afterEach(closeAll)

function connect(): GatheredRedis {
  const client = new GatheredRedis(process.env.SYNCHUB_TEST_REDIS_URL ?? '')
  atEnd(() => client.disconnect())
  return client
}

describe('a connection that gathers', () => {
  test('writes what one turn sends at once, and answers in order', async () => {
    const client = connect()
    await client.ping()
    await nextTurn()
    const { stream } = client
    const answers = Promise.all([client.echo('one'), client.echo('two'), client.echo('three')])
    // Corked once for all three, and all of them wait.
    expect(stream.writableCorked).toBe(1)
    expect(stream.writableLength).toBeGreaterThan(0)
    expect(await answers).toEqual(['one', 'two', 'three'])
    expect(stream.writableCorked).toBe(0)
  })

  test('goes on gathering over another connection', async () => {
    const client = connect()
    await client.ping()
    const first = client.stream
    client.disconnect(true)
    expect(await client.echo('again')).toBe('again')
    expect(client.stream).not.toBe(first)
    const answer = client.echo('gathered')
    expect(client.stream.writableCorked).toBe(1)
    expect(await answer).toBe('gathered')
  })
})
