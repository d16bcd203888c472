import { afterAll, describe, expect, test } from '@jest/globals'
import { createCallId } from '@synchub/core'
import { createCallIndex, createCallLog, createLeases } from '@synchub/redis'
import { closeAll } from './cleanup.js'
import { getCall, getJson } from './hub-requests.js'
import { runHub } from './running-hub.js'
import { serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

describe('a direct call whose hub lives and has lost its run', () => {
  test('ends once no attempt can take that long any more', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct', maxDurationMs: 1000 } } })
    // As a long outage of Redis leaves it: started a while ago by a hub that is there, and run by nobody.
    const startedAtMs = Date.now() - 60_000
    const clock = { now: () => startedAtMs, schedule: () => () => undefined }
    const log = createCallLog(hub.link, createCallIndex(hub.link, clock), clock)
    await createLeases(hub.link).showPresence('present-hub', 60_000)
    const callId = createCallId(startedAtMs)
    const call = {
      callId,
      trace: { tenant: 'local', owner: 'local', traceId: 'lost-run' },
      caller: 'SyncVerse',
      agent: 'Agent',
      tool: 'work',
      mode: 'direct',
      toolRevision: '',
      arguments: {},
      hubId: 'present-hub',
    } as const
    await log.record(call, [
      { event: 'received', data: { caller: 'SyncVerse', agent: 'Agent' } },
      { event: 'accepted', data: {} },
      { event: 'started', data: { attempt: 1 } },
    ])
    await until(async () => (await getCall(hub.url, callId)).state === 'unknown')
    const trace = await getJson<{ openCalls: number; state: string }>(hub.url, '/traces/lost-run')
    expect(trace.body).toMatchObject({ openCalls: 0, state: 'unknown' })
    expect(agent.calls).toHaveLength(0)
  })
})

describe('a call that was handed back and then waited too long', () => {
  test('ends as unknown, so that its key is not free for a second execution', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url } } })
    const waitedSinceMs = Date.now() - 60_000
    const clock = { now: () => waitedSinceMs, schedule: () => () => undefined }
    const log = createCallLog(hub.link, createCallIndex(hub.link, clock), clock)
    const callId = createCallId(waitedSinceMs)
    const call = {
      callId,
      trace: { tenant: 'local', owner: 'local', traceId: 'waited-again' },
      caller: 'SyncVerse',
      agent: 'Agent',
      tool: 'work',
      mode: 'queued',
      toolRevision: '',
      arguments: {},
      hubId: 'gone-hub',
    } as const
    // As a dispatcher leaves it that stops before the answer has come; nobody has added its job.
    await log.record(call, [
      { event: 'received', data: { caller: 'SyncVerse', agent: 'Agent' } },
      { event: 'accepted', data: {} },
    ])
    await log.change({ call, attempt: 0, opensAttempt: true, events: [{ event: 'started', data: { attempt: 1 } }] })
    const handedBack = { event: 'handed_back', data: {} } as const
    await log.change({ call, attempt: 1, events: [handedBack], set: { queueDeadlineAtMs: waitedSinceMs + 1 } })
    await until(async () => (await getCall(hub.url, callId)).state === 'unknown')
    expect(agent.calls).toHaveLength(0)
  })
})
