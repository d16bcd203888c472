import { once } from 'node:events'
import { afterAll, describe, expect, test } from '@jest/globals'
import { createCallId } from '@synchub/core'
import { createCallIndex, createCallLog, createLeases } from '@synchub/redis'
import { systemClock } from '@synchub/telemetry'
import { closeAll } from './cleanup.js'
import { callTool, getCall, getJson } from './hub-requests.js'
import { type RunningHub, runHub } from './running-hub.js'
import { openStream, serveScript, toolOf, writeEvent } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

const MINUTE_MS = 60_000

/** Writes into the hub's store as a process did a minute ago that is no more. */
function writeAMinuteAgo(hub: RunningHub) {
  const atMs = Date.now() - MINUTE_MS
  const clock = { now: () => atMs, schedule: () => () => undefined }
  return { atMs, log: createCallLog(hub.link, createCallIndex(hub.link, clock), clock) }
}

function callOf(traceId: string, atMs: number, mode: 'direct' | 'queued', hubId: string) {
  return {
    callId: createCallId(atMs),
    trace: { tenant: 'local', owner: 'local', traceId },
    caller: 'SyncVerse',
    agent: 'Agent',
    tool: 'work',
    mode,
    toolRevision: '',
    arguments: {},
    hubId,
  }
}

const BEGUN = [
  { event: 'received', data: { caller: 'SyncVerse', agent: 'Agent' } },
  { event: 'accepted', data: {} },
] as const
const STARTED = { event: 'started', data: { attempt: 1 } } as const

describe('a direct call whose hub lives and has lost its run', () => {
  test('ends once no attempt can take that long any more', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct', maxDurationMs: 1000 } } })
    // As a long outage of Redis leaves it: started a while ago by a hub that is there, and run by nobody.
    const { atMs, log } = writeAMinuteAgo(hub)
    await createLeases(hub.link).showPresence('present-hub', MINUTE_MS)
    const call = callOf('lost-run', atMs, 'direct', 'present-hub')
    await log.record(call, [...BEGUN, STARTED])
    await until(async () => (await getCall(hub.url, call.callId)).state === 'unknown')
    const trace = await getJson<{ openCalls: number; state: string }>(hub.url, '/traces/lost-run')
    expect(trace.body).toMatchObject({ openCalls: 0, state: 'unknown' })
    expect(agent.calls).toHaveLength(0)
  })
})

describe('a call that was handed back and then waited too long', () => {
  test('ends as unknown, so that its key is not free for a second execution', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url } } })
    // As a dispatcher leaves it that stops before the answer has come; nobody has added its job.
    const { atMs, log } = writeAMinuteAgo(hub)
    const call = callOf('waited-again', atMs, 'queued', 'gone-hub')
    await log.record(call, BEGUN)
    await log.change({ call, attempt: 0, opensAttempt: true, events: [STARTED] })
    const handedBack = { event: 'handed_back', data: {} } as const
    await log.change({ call, attempt: 1, events: [handedBack], set: { queueDeadlineAtMs: atMs + 1 } })
    await until(async () => (await getCall(hub.url, call.callId)).state === 'unknown')
    expect(agent.calls).toHaveLength(0)
  })
})

describe('an attempt whose number another run has got too, since Redis had lost its start', () => {
  test.each(['direct', 'queued'] as const)(
    'is refused and its agent told so, while the other goes on: %s',
    async (mode) => {
      const agent = await serveScript([toolOf('work')])
      const hub = await runHub({ agents: { Agent: { url: agent.url, mode } } })
      const log = createCallLog(hub.link, createCallIndex(hub.link, systemClock), systemClock)
      agent.behave(async (res, { meta }) => {
        const call = await log.find(String(meta.callId))
        if (call === null) throw new Error('the call is not recorded')
        await hub.link.commands.hset(hub.link.keys.trace(call.trace).call(call.callId), 'fence', 'other')
        openStream(res)
        writeEvent(res, 'progress', { progress: 1 })
        await once(res, 'close')
        const data = { result: { of: 'the other' }, content: [], isError: false, executionTimeMs: 1 }
        const ending = { event: 'complete', data } as const
        expect(await log.change({ call: { ...call, fence: 'other' }, attempt: 1, events: [ending] })).toMatchObject({
          kind: 'changed',
        })
      })
      const answer = await callTool(hub.url, 'work')
      expect(answer.body.result?.structuredContent).toEqual({ of: 'the other' })
      expect((await getCall(hub.url, String(answer.headers.get('SyncHub-Call-Id')))).progress).toBeUndefined()
    },
  )
})
