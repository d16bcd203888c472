import { afterAll, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { callTool, getJson } from './hub-requests.js'
import { startOwnRedis } from './own-redis.js'
import { expectProblem } from './problem.js'
import { runHub, untilReady } from './running-hub.js'
import { serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

interface ReadinessBody {
  readonly checks: readonly { readonly name: string; readonly detail?: string }[]
}

test.concurrent.each([
  ['', 'NOAUTH', 'asks for a password. Add it to REDIS_URL: redis://:password@host:port'],
  ['earlier', 'WRONGPASS', 'refuses this password. Correct the user and password in REDIS_URL.'],
])(
  'a hub whose Redis got another password than "%s" says so and what to do, and comes back once it has the old one',
  async (password, reply, detail) => {
    const redis = await startOwnRedis()
    await redis.client.config('SET', 'requirepass', password)
    const way = new URL(redis.url)
    way.password = password
    const agent = await serveScript([toolOf('work', {})])
    const { url } = await runHub({
      agents: { Agent: { url: agent.url, mode: 'direct' } },
      hubRedisUrl: way.href,
      dispatcherRedisUrl: way.href,
    })
    await redis.client.config('SET', 'requirepass', 'another')
    // As a restart does; connections that were let in before may stay for ever.
    for (const type of ['normal', 'pubsub']) await redis.client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
    await until(async () => {
      const { status, body } = await getJson<ReadinessBody>(url, '/readyz')
      const told = body.checks.find(({ name }) => name === 'store')?.detail
      return status === 503 && told === `Redis: the server at REDIS_URL ${detail}`
    })
    const refused = await callTool(url, 'work')
    expectProblem(refused, 'HUB_UNAVAILABLE', 'request-1')
    expect(refused.body.error?.data.detail).toMatch(new RegExp(`^the store refuses: ${reply} `))
    await redis.client.config('SET', 'requirepass', password)
    await untilReady(url)
    expect((await callTool(url, 'work')).status).toBe(200)
  },
  60_000,
)
