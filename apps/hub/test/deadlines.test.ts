import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type CallView, type JsonObject, META_KEYS } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { namesOf, postForStream, watchTrace } from './event-reader.js'
import { callFrame, callTool, getCall, getJson, postJson, postRpc, request, startCall } from './hub-requests.js'
import { askLegacy, askModern } from './mcp/mcp-requests.js'
import { expectErrorObject, expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { openStream, type ScriptedAgent, sendResult, serveScript, toolOf, writeEvent } from './scripted-agent.js'
import { until } from './until.js'

const TAKES_TASKS = { [META_KEYS.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }

let agent: ScriptedAgent
let hub: RunningHub

beforeAll(async () => {
  agent = await serveScript([toolOf('short'), toolOf('long')])
  const limits = { silenceTimeoutMs: 300, maxDurationMs: 900 }
  hub = await runHub({ agents: { Agent: { url: agent.url, ...limits, tools: { short: { mode: 'direct' } } } } })
})

afterAll(closeAll)

/** Reports progress for as long as this, and then answers, or never does; says how often it reported. */
function report(everyMs: number, forMs: number) {
  agent.behave((res, { id }) => {
    openStream(res)
    let progress = 0
    const timer = setInterval(() => writeEvent(res, 'progress', { progress: ++progress }), everyMs)
    const end = setTimeout(() => {
      clearInterval(timer)
      writeEvent(res, 'complete', { result: { id }, content: [] })
      res.end()
    }, forMs)
    res.on('close', () => {
      clearInterval(timer)
      clearTimeout(end)
    })
  })
}

/** Says nothing until the test has it answer. */
function fallSilent() {
  const answers: ((text: string) => void)[] = []
  agent.behave((res, { id }) => {
    answers.push((text) => sendResult(res, id, { content: [{ type: 'text', text }], structuredContent: { text } }))
  })
  return answers
}

const ended = async (callId: string): Promise<CallView> => {
  await until(async () => (await getCall(hub.url, callId)).endedAt !== undefined)
  return getCall(hub.url, callId)
}

describe('the limits of a run', () => {
  test('let an agent work that reports in time, past the longest silence', async () => {
    report(100, 700)
    expect(await ended(await startCall(hub.url, 'long'))).toMatchObject({ state: 'completed' })
  })

  test.each(['short', 'long'])(
    'end at the absolute limit what reports for ever, and tell the agent: %s',
    async (tool) => {
      report(100, 60_000)
      const answer = await callTool(hub.url, tool, {}, { timeoutMs: 5000 })
      expectProblem(answer, 'OUTCOME_UNKNOWN', 'request-1')
      expect(answer.body.error?.data.detail).toBe('Agent did not end within 900 ms')
      await until(() => agent.cancelled.includes(answer.body.error?.data.callId))
    },
  )

  test.each(['short', 'long'])('end what falls silent, and tell the agent: %s', async (tool) => {
    fallSilent()
    const answer = await callTool(hub.url, tool, {}, { timeoutMs: 5000 })
    expect(answer.body.error?.data.detail).toBe('Agent was silent for 300 ms')
    await until(() => agent.cancelled.includes(answer.body.error?.data.callId))
  })

  test('are told to the agent as the instant of its deadline', async () => {
    agent.behave((res, { id }) => sendResult(res, id, { content: [] }))
    const before = Date.now()
    await callTool(hub.url, 'long')
    const deadlineMs = Date.parse(String(agent.calls.at(-1)?.meta.deadline))
    expect(deadlineMs).toBeGreaterThanOrEqual(before + 900)
    expect(deadlineMs).toBeLessThanOrEqual(Date.now() + 900)
  })
})

describe('an answer that comes too late', () => {
  test.each(['short', 'long'])(
    'is kept for look-ups and marked late, and nobody gets it as if in time: %s',
    async (tool) => {
      const answers = fallSilent()
      const traceId = `late-${tool}`
      const meta = { traceId, idempotencyKey: traceId }
      const answer = await callTool(hub.url, tool, { at: 1 }, meta)
      expectProblem(answer, 'OUTCOME_UNKNOWN', 'request-1')
      const callId = String(answer.body.error?.data.callId)
      answers.at(-1)?.('after all')
      await until(async () => (await getCall(hub.url, callId)).late !== undefined)

      const expected = {
        state: 'unknown',
        late: {
          at: expect.any(String),
          result: { text: 'after all' },
          content: [{ text: 'after all' }],
          isError: false,
        },
        resolution: { by: 'Agent', reason: 'the agent answered late' },
      }
      const call = await getCall(hub.url, callId)
      expect(call).toMatchObject(expected)
      expectErrorObject(call.error, 'OUTCOME_UNKNOWN')
      expect(call).not.toHaveProperty('result')
      const found = await postRpc(hub.url, request('calls/get', { idempotencyKey: traceId }))
      expect(found.body.result).toMatchObject(expected)
      // A repeat gets what the first one got.
      const again = await callTool(hub.url, tool, { at: 1 }, meta)
      expect(again.body.error).toMatchObject({ message: answer.body.error?.message, data: { replayed: true, callId } })
      const { body } = await getJson<{ items: { event: string; data: JsonObject }[] }>(
        hub.url,
        `/traces/${traceId}/events`,
      )
      const names = body.items.map(({ event }) => event)
      expect(names).toEqual(['received', 'accepted', 'started', 'unknown', 'resolved'])
      expect(body.items.at(-1)?.data).toMatchObject({ by: 'Agent', late: true, resultLink: `/calls/${callId}` })
    },
  )

  test('is told of by the task, whose status stays', async () => {
    const answers = fallSilent()
    const callId = await startCall(hub.url, 'long')
    await ended(callId)
    answers.at(-1)?.('x')
    await until(async () => (await getCall(hub.url, callId)).late !== undefined)
    const task = await askLegacy(hub.url, 'tasks/get', { taskId: callId })
    expect(task.body.result).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringMatching(
        /was silent for 300 ms \(found out since, by Agent: the agent answered late\)$/,
      ),
    })
  })

  test('is no answer of the call on any surface, whoever asks again for the call: only its record has it', async () => {
    const answers = fallSilent()
    const meta = { traceId: 'late-everywhere', idempotencyKey: 'late-everywhere' }
    const callId = await startCall(hub.url, 'long', {}, meta)
    await ended(callId)
    answers.at(-1)?.('too late')
    await until(async () => (await getCall(hub.url, callId)).late !== undefined)
    const repeat = { name: 'long', arguments: {}, _meta: meta }
    const told = {
      '/rpc': (await callTool(hub.url, 'long', {}, meta)).body,
      '/mcp': (await askLegacy(hub.url, 'tools/call', repeat)).body,
      '/mcp, modern': (await askModern(hub.url, 'tools/call', { name: 'long', arguments: {} }, meta)).body,
      'the result of the task': (await askLegacy(hub.url, 'tasks/result', { taskId: callId })).body,
      'the task, modern': (await askModern(hub.url, 'tasks/get', { taskId: callId }, TAKES_TASKS)).body,
    }
    for (const [where, body] of Object.entries(told)) {
      const text = JSON.stringify(body)
      expect([where, text.includes('was silent for 300 ms'), text.includes('too late')]).toEqual([where, true, false])
    }
    const stream = await postForStream(hub.url, callFrame('long', {}, meta))
    await stream.over
    expect(namesOf(stream)).toEqual(['failed'])
    expect(JSON.stringify(stream.events)).not.toContain('too late')
    const record = await getJson<CallView>(hub.url, `/calls/${callId}`)
    expect(record.body).toMatchObject({ state: 'unknown', late: { result: { text: 'too late' } } })
  })

  test('counts once: what a person has found out before stays', async () => {
    const answers = fallSilent()
    const callId = await startCall(hub.url, 'long')
    await ended(callId)
    await postJson(hub.url, `/calls/${callId}/resolve`, { reason: 'looked at the agent' })
    answers.at(-1)?.('x')
    await until(() => agent.cancelled.includes(callId))
    const watcher = await watchTrace(hub.url, `${(await getCall(hub.url, callId)).traceId}/events`)
    await watcher.over
    expect(namesOf(watcher).filter((name) => name === 'resolved')).toHaveLength(1)
    const call = await getCall(hub.url, callId)
    expect(call).toMatchObject({ resolution: { reason: 'looked at the agent' } })
    expect(call).not.toHaveProperty('late')
  })

  test('of a call that was cancelled is none: its connection is gone', async () => {
    const answers = fallSilent()
    const callId = await startCall(hub.url, 'long')
    await until(() => agent.calls.at(-1)?.id === callId)
    await postJson(hub.url, `/calls/${callId}/cancel`)
    await until(() => agent.cancelled.includes(callId))
    answers.at(-1)?.('x')
    const call = await getCall(hub.url, callId)
    expect(call.state).toBe('cancelled')
    expect(call).not.toHaveProperty('late')
    expect(call).not.toHaveProperty('resolution')
  })
})
