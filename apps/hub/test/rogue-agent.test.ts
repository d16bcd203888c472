import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ErrorCode, JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { type EventReader, namesOf, watchTrace } from './event-reader.js'
import { callTool, getCall, getJson } from './hub-requests.js'
import { expectErrorObject, expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import {
  answerText,
  type Behaviour,
  openStream,
  type ScriptedAgent,
  sendFrame,
  sendResult,
  serveScript,
  toolOf,
} from './scripted-agent.js'

let agent: ScriptedAgent
let hub: RunningHub
let count = 0

beforeAll(async () => {
  agent = await serveScript([toolOf('work')])
  hub = await runHub({
    agents: { Agent: { url: agent.url, retryDelayMs: 10 } },
    limits: { maxTraceProgressBytes: 65_536, maxTraceBytes: 1_000_000 },
  })
})

afterAll(closeAll)

/** Runs the tool of an agent that behaves so, and reads the whole trace; the hub serves on after it. */
async function runWith(behaviour: Behaviour): Promise<EventReader> {
  agent.behave(behaviour)
  const traceId = `rogue-${++count}`
  await callTool(hub.url, 'work', {}, { traceId, timeoutMs: 20_000 })
  const reader = await watchTrace(hub.url, `${traceId}/events`)
  await reader.over
  agent.behave(answerText)
  expect((await callTool(hub.url, 'work')).status).toBe(200)
  return reader
}

/** Streams these chunks, each as a packet of its own, then ends. */
const streaming =
  (...chunks: readonly (string | Uint8Array)[]): Behaviour =>
  async (res) => {
    openStream(res)
    for (const chunk of chunks) {
      res.write(chunk)
      await nextTurn()
    }
    res.end()
  }

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const COMPLETE = event('complete', { result: { done: true } })
const TERMINAL = ['complete', 'failed', 'refused', 'cancelled', 'unknown']

/** Expects exactly one ending, the last event but `end`. */
function endingOf(reader: EventReader): JsonObject & { event: string } {
  const endings = reader.events.filter((seen) => TERMINAL.includes(seen.event))
  expect(endings).toHaveLength(1)
  expect(namesOf(reader).at(-1)).toBe('end')
  expect(reader.events.at(-2)).toBe(endings[0])
  return { ...endings[0]?.data, event: endings[0]?.event ?? '' }
}

const progressOf = (reader: EventReader) =>
  reader.events.filter((seen) => seen.event === 'progress').map(({ data }) => data.progress)

describe('progress of an agent that is not to be trusted', () => {
  test('reaches watchers only where it rises', async () => {
    const before = hub.logs.length
    const values = [10, 40, 25, 40, 60, 60, 59.9, 61.5]
    const reader = await runWith(
      streaming(...values.map((progress) => event('progress', { progress, total: 100 })), COMPLETE),
    )
    expect(progressOf(reader)).toEqual([10, 40, 60, 61.5])
    expect(endingOf(reader)).toMatchObject({ event: 'complete', progress: 100, total: 100 })
    const notices = hub.logs.slice(before).filter((line) => line.includes('progress refused: it does not rise'))
    expect(notices).toHaveLength(4)
    for (const line of notices) expect(JSON.parse(line)).toMatchObject({ traceId: reader.events[0]?.data.traceId })
  })

  test.each([
    ['NaN', '{"progress":NaN}'],
    ['Infinity', '{"progress":1e400}'],
    ['a text', '{"progress":"50"}'],
    ['null', '{"progress":null}'],
    ['negative', '{"progress":-1}'],
    ['more than its total', '{"progress":101,"total":100}'],
    ['a total that is a text', '{"progress":50,"total":"100"}'],
    ['a message that is a number', '{"progress":50,"message":7}'],
    ['nothing', '{}'],
    ['no object', '[50]'],
    ['no JSON', '50%'],
  ])('is refused visibly when it is %s, and the answer still comes', async (_what, data) => {
    const before = hub.logs.length
    const reader = await runWith(streaming(`event: progress\ndata: ${data}\n\n`, COMPLETE))
    expect(progressOf(reader)).toEqual([])
    expect(endingOf(reader)).toMatchObject({ event: 'complete', token: 'prg-01', result: { done: true } })
    expect(hub.logs.slice(before).join()).toContain('progress refused: ')
  })

  test('without data is none (WHATWG HTML, section 9.2.6)', async () => {
    const reader = await runWith(streaming('event: progress\n\nevent: progress\ndata:\n\n', COMPLETE))
    expect(progressOf(reader)).toEqual([])
    expect(endingOf(reader).event).toBe('complete')
  })

  test('with a message that is far too long is cut, not dropped', async () => {
    const reader = await runWith(streaming(event('progress', { progress: 1, message: 'x'.repeat(100_000) }), COMPLETE))
    expect(String(reader.events.find((seen) => seen.event === 'progress')?.data.message)).toHaveLength(4096)
  })
})

describe('progress without end', () => {
  test('fills its trace to a bound; the trace and the log say so once, and the answer is recorded all the same', async () => {
    const before = hub.logs.length
    const message = 'x'.repeat(4096)
    const reports = Array.from({ length: 60 }, (_, at) => event('progress', { progress: at + 1, total: 60, message }))
    const reader = await runWith(streaming(...reports, COMPLETE))
    const told = reader.events.filter((seen) => seen.event === 'progress').map(({ data }) => data)
    const messages = told.map((data) => String(data.message))
    expect(messages.filter((text) => text === message)).toHaveLength(15)
    expect(messages.slice(15)).toEqual([expect.stringContaining('limits.maxTraceProgressBytes')])
    expect(told.at(-1)).toMatchObject({ progress: 16, total: 60 })
    expect(endingOf(reader)).toMatchObject({ event: 'complete', result: { done: true } })
    const lines = hub.logs.slice(before).filter((line) => line.includes('limits.maxTraceProgressBytes'))
    expect(lines).toHaveLength(1)
  })
})

describe('a result that brings its trace over its bound', () => {
  test('is kept, and the next call of the trace is refused by a sentence that says why and what to do', async () => {
    const result = { text: 'x'.repeat(1_000_000) }
    const meta = { traceId: 'full-trace' }
    agent.behave((res, { id }) => sendResult(res, id, { content: [], structuredContent: result }))
    const first = await callTool(hub.url, 'work', {}, meta)
    agent.behave(answerText)
    const refused = await callTool(hub.url, 'work', {}, { ...meta, idempotencyKey: 'full-1' })
    expectProblem(refused, 'PAYLOAD_TOO_LARGE', 'request-1')
    expect(refused.body.error?.data).toMatchObject({
      limit: 1_000_000,
      detail: expect.stringMatching(/^the hub has no room .* trace full-trace: .* limits\.maxTraceBytes/),
      nextStep: expect.stringMatching(/another traceId.* limits\.maxTraceBytes/),
    })
    expect((await callTool(hub.url, 'work', {}, { idempotencyKey: 'full-1' })).status).toBe(200)
    expect((await getCall(hub.url, String(first.headers.get('SyncHub-Call-Id')))).result).toEqual(result)
    const { body } = await getJson<{ callCount: number }>(hub.url, '/traces/full-trace')
    expect(body.callCount).toBe(1)
  })
})

describe('the stream of an agent', () => {
  test.each([
    ['two endings: the first counts', [COMPLETE, event('complete', { result: { done: 'again' } })]],
    ['an ending, then an error', [COMPLETE, event('failed', { error: { code: -32603, message: 'x' } })]],
    ['an ending, then progress', [COMPLETE, event('progress', { progress: 1 })]],
    ['an ending, then garbage', [COMPLETE, '\u0000\u0000{{{\n\n']],
    ['chunks that end inside of UTF-8 and between CR and LF', splitEverywhere()],
    ['line breaks in names, unknown fields, comments and a BOM', oddities()],
  ])('may hold %s', async (_what, chunks) => {
    const reader = await runWith(streaming(...chunks))
    expect(endingOf(reader)).toMatchObject({ event: 'complete', result: { done: true } })
  })

  test.each<[string, readonly (string | Uint8Array)[], ErrorCode]>([
    ['no ending', [event('progress', { progress: 1 })], 'OUTCOME_UNKNOWN'],
    ['nothing', [], 'OUTCOME_UNKNOWN'],
    ['an ending that is cut', ['event: complete\ndata: {"result":{"done":true}}'], 'OUTCOME_UNKNOWN'],
    ['an ending that is no JSON', ['event: complete\ndata: {done}\n\n'], 'CONTRACT_BROKEN'],
    ['an ending that is a list', [event('complete', [])], 'CONTRACT_BROKEN'],
    ['an ending without a result', [event('complete', { isError: false })], 'CONTRACT_BROKEN'],
    ['an ending whose result is a text', [event('complete', { result: 'done' })], 'CONTRACT_BROKEN'],
    ['an ending with an error', [event('complete', { result: {}, error: { code: 1 } })], 'CONTRACT_BROKEN'],
    ['an ending that is nested for ever', [nested(5000)], 'CONTRACT_BROKEN'],
    ['a failure without an error', [event('failed', {})], 'CONTRACT_BROKEN'],
    ['a failure whose code is a text', [event('failed', { error: { code: 'x', message: 'y' } })], 'CONTRACT_BROKEN'],
    [
      'bytes that are not UTF-8',
      [new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a])],
      'CONTRACT_BROKEN',
    ],
    ['an event that is far too large', [`event: note\ndata: ${'x'.repeat(1.1 * 1024 * 1024)}\n\n`], 'CONTRACT_BROKEN'],
  ])('with %s has one defined outcome', async (_what, chunks, title) => {
    const ending = endingOf(await runWith(streaming(...chunks)))
    expect(ending.event).toBe(title === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed')
    expectErrorObject(ending.error as Parameters<typeof expectErrorObject>[0], title)
    expect((await getCall(hub.url, String(ending.callId))).state).toBe(
      title === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed',
    )
  })
})

describe('the answer of an agent', () => {
  const answering =
    (status: number, type: string, body: string | Uint8Array): Behaviour =>
    (res) =>
      void res.writeHead(status, { 'Content-Type': type }).end(body)

  test.each<[string, Behaviour, ErrorCode]>([
    ['an HTML page', answering(404, 'text/html', '<h1>Error</h1>'), 'CONTRACT_BROKEN'],
    ['the error page of a server that failed', answering(500, 'text/html', '<h1>Error</h1>'), 'OUTCOME_UNKNOWN'],
    ['a text', answering(200, 'text/plain', 'done'), 'CONTRACT_BROKEN'],
    ['no JSON', answering(200, 'application/json', '{'), 'CONTRACT_BROKEN'],
    ['JSON that is no answer', answering(200, 'application/json', '{}'), 'CONTRACT_BROKEN'],
    ['of another request', (res) => sendFrame(res, { id: 'other', result: { content: [] } }), 'CONTRACT_BROKEN'],
    [
      'a result and an error',
      (res, { id }) => sendFrame(res, { id, result: {}, error: { code: 1, message: 'x' } }),
      'CONTRACT_BROKEN',
    ],
    [
      'a result with HTTP 500',
      (res, { id }) => sendFrame(res, { id, result: { content: [] } }, 500),
      'CONTRACT_BROKEN',
    ],
    ['a redirect', (res) => void res.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(), 'CONTRACT_BROKEN'],
    [
      'compressed',
      (res) => void res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('x'),
      'CONTRACT_BROKEN',
    ],
    ['a gateway that gave up', answering(504, 'text/html', 'timeout'), 'OUTCOME_UNKNOWN'],
    [
      'shorter than it says',
      (res) => {
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
        res.write('{')
        setImmediate(() => res.destroy())
      },
      'OUTCOME_UNKNOWN',
    ],
    ['no HTTP', (res) => void res.socket?.end('SSH-2.0-OpenSSH\r\n'), 'CONTRACT_BROKEN'],
  ])('that is %s has one defined outcome', async (_what, behaviour, title) => {
    const ending = endingOf(await runWith(behaviour))
    expectErrorObject(ending.error as Parameters<typeof expectErrorObject>[0], title)
    expect(ending.event).toBe(title === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed')
  })
})

/** A whole answer cut into single bytes, its line breaks CR LF. */
function splitEverywhere(): readonly Uint8Array[] {
  const text = `event: progress\r\ndata: {"progress":1,"message":"서울 🎓"}\r\n\r\n${COMPLETE.replaceAll('\n', '\r\n')}`
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte))
}

function oddities(): readonly string[] {
  return [
    '\ufeff: a comment\r\r',
    'evil\rname: x\n',
    'retry: 5\nid: 7\0\nfoo\n\n',
    'event: \u0000\ndata: x\n\n',
    COMPLETE,
  ]
}

function nested(depth: number): string {
  return `event: complete\ndata: {"result":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}\n\n`
}
