import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { type AppProcess, startApp } from './child-process.js'
import { closeAll } from './cleanup.js'
import { namesOf, watchTrace } from './event-reader.js'
import { callTool, getCall, startCall } from './hub-requests.js'
import { openPlace, untilReady } from './running-hub.js'
import { serveScript, toolOf } from './scripted-agent.js'
import { serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** A place with a hub in this process; dispatchers are processes of their own. */
async function setUp(policies: Readonly<Record<string, JsonObject>> = {}) {
  const [safe, unsafe] = [steeredTool('safe'), steeredTool('unsafe')]
  const agent = await serveTools([safe.tool, unsafe.tool])
  const agents = {
    Agent: {
      url: agent.url,
      tools: { safe: { safeToRepeat: true, ...policies.safe }, unsafe: { ...policies.unsafe } },
    },
  }
  const place = await openPlace({ agents })
  const environment = { REDIS_PREFIX: place.prefix }
  const startDispatcher = async (): Promise<AppProcess> => {
    const app = await startApp('dispatcher', { agents }, environment)
    await app.logged('dispatcher takes calls')
    return app
  }
  const startHub = async (): Promise<AppProcess & { url: string }> => {
    const app = await startApp('hub', { agents }, environment)
    const { url } = await app.logged('hub is listening')
    return { ...app, url: String(url) }
  }
  return { safe, unsafe, place, startDispatcher, startHub }
}

describe('kill -9 of a dispatcher', () => {
  test.concurrent('lets its runs go on elsewhere within 10 s where that is safe, once, and says the rest is unknown', async () => {
    const { safe, unsafe, place, startDispatcher } = await setUp()
    const { url } = await place.startHub()
    const dispatcher = await startDispatcher()
    await untilReady(url)
    const [safeCall, unsafeCall] = [
      await startCall(url, 'safe', {}, { traceId: 'safe' }),
      await startCall(url, 'unsafe', {}, { traceId: 'unsafe' }),
    ]
    const [run] = [await safe.nextRun(), await unsafe.nextRun()]
    const [watching, other] = [await watchTrace(url, 'safe/events'), await watchTrace(url, 'unsafe/events')]
    run.ctx.progress({ progress: 40, total: 100 })
    await watching.next('progress')
    await startDispatcher()
    const killedAtMs = performance.now()
    await dispatcher.end('SIGKILL')
    await until(async () => (await getCall(url, safeCall)).attempt === 2)
    expect(performance.now() - killedAtMs).toBeLessThan(10_000)
    // The agent attaches the second attempt to the work that goes on.
    run.ctx.progress({ progress: 70, total: 100 })
    run.complete({ structuredContent: { done: true } })
    await Promise.all([watching.over, other.over])
    expect(namesOf(watching).filter((name) => name !== 'progress')).toEqual([
      ...['received', 'accepted', 'started', 'retrying', 'started', 'complete', 'end'],
    ])
    expect(await getCall(url, safeCall)).toMatchObject({ state: 'completed', attempt: 2, result: { done: true } })
    expect(safe.runs).toHaveLength(1)
    expect(namesOf(other)).toEqual(['received', 'accepted', 'started', 'unknown', 'end'])
    expect(await getCall(url, unsafeCall)).toMatchObject({ state: 'unknown', attempt: 1 })
    expect(unsafe.runs).toHaveLength(1)
  }, 60_000)
})

describe('kill -9 of a hub', () => {
  test.concurrent('leaves its long calls alone, and its short ones to the sweep', async () => {
    const agent = await serveScript([toolOf('short'), toolOf('long')], () => undefined)
    const agents = { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } }
    const place = await openPlace({ agents })
    await place.startDispatcher()
    const dying = await startApp('hub', { agents }, { REDIS_PREFIX: place.prefix })
    const url = String((await dying.logged('hub is listening')).url)
    await untilReady(url)
    const long = await startCall(url, 'long')
    void callTool(url, 'short', {}, { traceId: 'short' }).catch(() => undefined)
    await until(() => agent.calls.length === 2)
    const short = String(agent.calls.find(({ name }) => name === 'short')?.id)
    await dying.end('SIGKILL')
    // Its last sign of life runs out; here at once instead of after 15 s.
    const { commands } = place.link
    await commands.del(...(await commands.keys(`${place.prefix}:hub:*`)))
    const next = await place.startHub()
    await until(async () => (await getCall(next.url, short)).state === 'unknown')
    expect(await getCall(next.url, long)).toMatchObject({ state: 'running', attempt: 1 })
    expect(agent.calls).toHaveLength(2)
  }, 60_000)
})

describe('the program of an app', () => {
  test.concurrent('ends with 0 on SIGTERM and SIGINT, with calls running and streams open', async () => {
    const { safe, place, startDispatcher, startHub } = await setUp()
    const [dispatcher, hub] = await Promise.all([startDispatcher(), startHub()])
    await untilReady(hub.url)
    const callId = await startCall(hub.url, 'safe', {}, { traceId: 'ends' })
    await safe.nextRun()
    const watching = await watchTrace(hub.url, 'ends/events')
    await watching.count(3)
    expect(await Promise.all([dispatcher.end('SIGTERM'), hub.end('SIGINT')])).toEqual([0, 0])
    await watching.over
    const { url } = await place.startHub()
    expect(await getCall(url, callId)).toMatchObject({ state: 'queued' })
    for (const { lines } of [dispatcher, hub]) {
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 30, msg: expect.any(String) })
    }
    const run = dispatcher.lines.map((line) => JSON.parse(line) as JsonObject).filter(({ callId: id }) => id === callId)
    expect(run.map(({ msg }) => msg)).toEqual(['run ended'])
    for (const line of run) expect(line).toMatchObject({ traceId: 'ends', agent: 'Agent', tool: 'safe', attempt: 1 })
  }, 60_000)

  test.concurrent('is not cut short by a second signal: runs are handed back, and it ends with 0', async () => {
    const { safe, place, startDispatcher, startHub } = await setUp()
    const [dispatcher, hub] = await Promise.all([startDispatcher(), startHub()])
    await untilReady(hub.url)
    const callId = await startCall(hub.url, 'safe')
    await safe.nextRun()
    const ends = [dispatcher, hub].map(({ child, end }) => {
      const ended = end('SIGTERM')
      // Its run goes on, so the dispatcher waits for as long as it may, 2 s: both signals reach it meanwhile.
      setTimeout(() => child.kill('SIGTERM'), 100)
      setTimeout(() => child.kill('SIGINT'), 200)
      return ended
    })
    expect(await Promise.all(ends)).toEqual([0, 0])
    const { url } = await place.startHub()
    expect(await getCall(url, callId)).toMatchObject({ state: 'queued' })
  }, 60_000)

  test.concurrent.each<[string, 'hub' | 'dispatcher', JsonObject | string, Record<string, string>, RegExp]>([
    ['a configuration that is not JSON', 'hub', '{', {}, /synchub\.config\.json: the file is not JSON/],
    ['an environment that is wrong', 'dispatcher', { agents: {} }, { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [
      'a Redis that is not there',
      'hub',
      { agents: {} },
      { REDIS_URL: 'redis://user:secret@127.0.0.1:1' },
      /^hub: Redis: the server at redis:\/\/127\.0\.0\.1:1 does not answer: nothing listens there\. Start it/,
    ],
    [
      'a Redis whose name nobody knows',
      'dispatcher',
      { agents: {} },
      { REDIS_URL: 'redis://no-such-host.invalid:6379' },
      /^dispatcher: Redis: .* has a host name that does not resolve\. Correct the host in REDIS_URL/,
    ],
    [
      'a host beyond loopback',
      'hub',
      { agents: {} },
      { HOST: '0.0.0.0' },
      /does not listen on 0\.0\.0\.0 while access\.mode is "none"/,
    ],
  ])('says in one sentence what is wrong, and ends with 1: %s', async (_what, app, config, environment, sentence) => {
    const { exited, stderr } = await startApp(app, config, environment)
    expect(await exited).toBe(1)
    expect(stderr()).toMatch(sentence)
    expect(stderr().trim().split('\n')).toHaveLength(1)
  })
})
