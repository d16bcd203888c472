import { afterAll, describe, expect, test } from '@jest/globals'
import { createCallId } from '@synchub/core'
import { createCallIndex, createCallLog, createLeases } from '@synchub/redis'
import { closeAll } from '../cleanup.js'
import { getCall } from '../hub-requests.js'
import { openPlace } from '../running-hub.js'
import { until } from '../until.js'

afterAll(closeAll, 60_000)

describe('a sweep that comes across a call of a public path', () => {
  test('leaves it alone for as long as its path may take, and ends it as unknown after that', async () => {
    const path = { name: 'hr', url: 'http://127.0.0.1:1/', manifest: 'manifest.json', timeoutMs: 50_000 }
    const place = await openPlace({ publicPaths: { '/hr': path } })
    const { url } = await place.startHub()
    await createLeases(place.link).showPresence('present-hub', 60_000)
    const record = async (ageMs: number): Promise<string> => {
      const startedAtMs = Date.now() - ageMs
      const clock = { now: () => startedAtMs, schedule: () => () => undefined }
      const callId = createCallId(startedAtMs)
      const call = {
        callId,
        trace: { tenant: 'local', owner: 'local', traceId: `aged-${ageMs}` },
        caller: 'AgentBuilder',
        agent: 'hr',
        tool: 'search',
        mode: 'direct',
        toolRevision: '',
        arguments: {},
        hubId: 'present-hub',
      } as const
      await createCallLog(place.link, createCallIndex(place.link, clock), clock).record(call, [
        { event: 'received', data: { caller: 'AgentBuilder', agent: 'hr' } },
        { event: 'accepted', data: {} },
        { event: 'started', data: { attempt: 1 } },
      ])
      return callId
    }
    const young = await record(40_000)
    const old = await record(70_000)
    await place.startDispatcher()
    await until(async () => (await getCall(url, old)).state === 'unknown')
    const { commands, keys } = place.link
    await until(async () => Number(await commands.zscore(keys.openCalls, young)) > Date.now())
    expect(await getCall(url, young)).toMatchObject({ state: 'running', attempt: 1 })
  })
})
