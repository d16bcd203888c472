import { afterAll, describe, expect, test } from '@jest/globals'
import { digestKey } from '@synchub/core'
import { startApp } from './child-process.js'
import { closeAll } from './cleanup.js'
import { type Answer, callTool, metaOf } from './hub-requests.js'
import { startRedisProxy } from './redis-proxy.js'
import { openPlace, sharedRedis, untilReady } from './running-hub.js'
import { sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** Two hubs and a dispatcher as processes; `slow` stops (SIGSTOP) once it has claimed a key, before it hears that it has it. */
async function setUp(rememberMs: number) {
  const agent = await serveScript([toolOf('short'), toolOf('long')], (res, { id }) => {
    sendResult(res, id, { content: [], structuredContent: { runs: agent.calls.length } })
  })
  const agents = { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } }
  const config = { agents, idempotency: { rememberMs } }
  const place = await openPlace({ agents })
  const environment = { REDIS_PREFIX: place.prefix }
  const proxy = await startRedisProxy(sharedRedis())
  const [slow, quick] = await Promise.all([
    startApp('hub', config, { ...environment, REDIS_URL: proxy.url }),
    startApp('hub', config, environment),
    startApp('dispatcher', config, environment),
  ])
  const urlOf = async (hub: typeof slow) => String((await hub.logged('hub is listening')).url)
  const [slowUrl, quickUrl] = [await urlOf(slow), await urlOf(quick)]
  await Promise.all([untilReady(slowUrl), untilReady(quickUrl)])

  const key = place.link.keys.claim({ tenant: 'local', owner: 'local' }, digestKey('paused'))
  const isClaimed = async () => (await place.link.commands.exists(key)) === 1
  const call = (url: string, tool: string) => callTool(url, tool, {}, { idempotencyKey: 'paused' })
  return {
    agent,
    isClaimed,
    callQuick: (tool: string) => call(quickUrl, tool),
    /** Calls at the slow hub, which is paused when this settles; `wake` lets it go on, and gives its answer. */
    async callSlow(tool: string) {
      const paused = new Promise<void>((resolve) => {
        proxy.oncePassed(key, () => {
          slow.child.kill('SIGSTOP')
          resolve()
        })
      })
      const answer = call(slowUrl, tool)
      await paused
      await until(isClaimed)
      return {
        wake() {
          slow.child.kill('SIGCONT')
          return answer
        },
      }
    },
  }
}

/**
 * It answers as a repeat of `first`; or it was paused for so long that it takes Redis for gone, says that nothing was done, and has
 * begun nothing.
 */
function expectRepeat(late: Answer, first: Answer): void {
  const { error, result } = late.body
  const repeat = [first.body.result?.structuredContent, metaOf(first).callId, true]
  const told = [result?.structuredContent, metaOf(late).callId, metaOf(late).replayed]
  expect([['HUB_UNAVAILABLE'], repeat]).toContainEqual(error === undefined ? told : [error.data.title])
}

describe('a hub that is paused (SIGSTOP) while it holds a key of which nothing is recorded', () => {
  test.each(['short', 'long'])(
    'does not run again what another has run since its claim expired: %s',
    async (tool) => {
      const { agent, isClaimed, callQuick, callSlow } = await setUp(1000)
      const late = await callSlow(tool)
      await until(async () => !(await isClaimed()))
      const first = await callQuick(tool)
      expectRepeat(await late.wake(), first)
      expect(first.body.result?.structuredContent).toEqual({ runs: 1 })
      expect(agent.calls).toHaveLength(1)
    },
    60_000,
  )

  test.each(['short', 'long'])(
    'does not run again what another has run that took its claim over: %s',
    async (tool) => {
      const { agent, callQuick, callSlow } = await setUp(2000)
      const late = await callSlow(tool)
      // It waits for half of the time for which keys are remembered, and takes it then.
      const first = await callQuick(tool)
      expectRepeat(await late.wake(), first)
      expect(first.body.result?.structuredContent).toEqual({ runs: 1 })
      expect(agent.calls).toHaveLength(1)
    },
    60_000,
  )

  test('claims it anew where nobody else wanted it, and what it says is what it did', async () => {
    const { agent, isClaimed, callSlow } = await setUp(1000)
    const late = await callSlow('short')
    await until(async () => !(await isClaimed()))
    const { result, error } = (await late.wake()).body
    expect(error?.data.title).toBe(result === undefined ? 'HUB_UNAVAILABLE' : undefined)
    expect(agent.calls).toHaveLength(result === undefined ? 0 : 1)
  }, 60_000)
})
