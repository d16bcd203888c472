import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ArchiveItem, readArchive } from '@synchub/protocol'
import { atEnd, closeAll } from './cleanup.js'
import { watchTrace } from './event-reader.js'
import { callTool, getJson, metaOf } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { type ScriptedAgent, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

const LARGE = 'x'.repeat(70_000)

let agent: ScriptedAgent
let hub: RunningHub
let archive: string

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'synchub-archive-'))
  atEnd(() => rm(archive, { recursive: true }))
  agent = await serveScript([toolOf('short')])
  agent.behave((res, { id }) => sendResult(res, id, { content: [{ type: 'text', text: LARGE }] }))
  const agents = { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } }
  hub = await runHub({ agents, retention: { maxAgeMs: 300, archive } })
})

afterAll(closeAll)

const isGone = async (traceId: string) => (await getJson(hub.url, `/traces/${traceId}`)).status === 404

describe('a trace that is kept no longer', () => {
  test('is in the archive as its watchers saw it, who are told and see what comes next', async () => {
    const watcher = await watchTrace(hub.url, 'kept/events?follow=1')
    const { callId } = metaOf(await callTool(hub.url, 'short', { token: 'secret' }, { traceId: 'kept' }))
    const { data } = await watcher.next('reset')
    expect(data).toEqual({ reason: 'trimmed', snapshot: null })
    expect(await isGone('kept')).toBe(true)
    expect((await getJson(hub.url, `/calls/${String(callId)}`)).status).toBe(404)

    const [file = ''] = await readdir(join(archive, 'local'))
    const text = await readFile(join(archive, 'local', file), 'utf8')
    const items: ArchiveItem[] = []
    for await (const item of readArchive(text.split('\n'))) items.push(item)
    const seen = watcher.events.slice(0, 4)
    const archived = items.filter((item) => item.kind === 'event')
    expect(archived.map(({ id, event, data: own }) => ({ id, event, data: own }))).toEqual(
      seen.map(({ id, event, data: own }) => ({ id, event, data: own })),
    )
    for (const event of seen) expect(text).toContain(event.text)
    expect(items.at(-1)).toMatchObject({ result: { callId, content: [{ text: LARGE }] } })
    expect(text).not.toContain('secret')

    await callTool(hub.url, 'short', {}, { traceId: 'kept' })
    expect(await watcher.next('received', 5)).toMatchObject({ data: { seq: 1 } })
    watcher.close()
  })

  test('is not run again by a repeat of its idempotency key', async () => {
    const meta = { traceId: 'keyed', idempotencyKey: 'order-17' }
    await callTool(hub.url, 'short', {}, meta)
    await until(() => isGone('keyed'))
    const before = agent.calls.length
    const answer = await callTool(hub.url, 'short', {}, meta)
    expectProblem(answer, 'NOT_FOUND', 'request-1')
    expect(answer.body.error?.message).toContain('ended as completed, and its record is kept no longer')
    expect(agent.calls.length).toBe(before)
  })
})
