import { EventEmitter, once } from 'node:events'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool, type ErrorCode, ToolError, type ToolHandler } from '../src/index.js'
import {
  callBody,
  closeAll,
  collect,
  makeFolder,
  post,
  postJson,
  serve,
  storedAnswers,
  streamCall,
  until,
} from './served-agent.js'

/** A tool that counts how often it was run. */
function countedTool(handler: ToolHandler<object>) {
  const counted = {
    runs: 0,
    tool: defineTool({ name: 'work', description: '', inputSchema: { type: 'object' }, streams: true, handler: count }),
  }
  function count(...args: Parameters<typeof handler>) {
    counted.runs++
    return handler(...args)
  }
  return counted
}

afterEach(closeAll)

describe('a repeat of a call', () => {
  const body = callBody('work', { a: 1, b: [2] }, { callId: 'c1', traceId: 't1' })

  test('joins the running work: the latest progress, then the rest, one run', async () => {
    const gate = new EventEmitter()
    const counted = countedTool(async (_, ctx) => {
      ctx.progress({ progress: 1 })
      ctx.progress({ progress: 2 })
      await once(gate, 'open')
      ctx.progress({ progress: 3 })
      return 'done'
    })
    const { url } = await serve([counted.tool])
    const first = streamCall(url, body)
    await first.next()
    const second = streamCall(url, callBody('work', { b: [2], a: 1 }, { callId: 'c1', traceId: 't1', attempt: 2 }))
    expect((await second.next()).value).toEqual({ event: 'progress', data: { progress: 2 } })
    const third = postJson(url, body)
    gate.emit('open')
    const rest = async (events: typeof first) =>
      (await collect(events)).map(({ event, data }) => [event, data.progress])
    expect(await rest(first)).toEqual([
      ['progress', 2],
      ['progress', 3],
      ['complete', undefined],
    ])
    expect(await rest(second)).toEqual([
      ['progress', 3],
      ['complete', undefined],
    ])
    expect(await third).toMatchObject({ status: 200, body: { result: { content: [{ text: 'done' }] } } })
    expect(counted.runs).toBe(1)
  })

  test('gets the stored answer, marked as replayed, in the form that it asks for', async () => {
    const counted = countedTool(() => ({ structuredContent: { n: 1 }, content: [{ type: 'text', text: 'x' }] }))
    const { url } = await serve([counted.tool])
    const { body: answer } = await postJson(url, body)
    expect(answer).not.toHaveProperty('result._meta.replayed')
    const again = await postJson(url, callBody('work', { b: [2], a: 1 }, { callId: 'c1', traceId: 't2', attempt: 2 }))
    expect(again.body).toMatchObject({
      result: {
        content: [{ type: 'text', text: 'x' }],
        structuredContent: { n: 1 },
        _meta: { traceId: 't2', replayed: true },
      },
    })
    expect(await collect(streamCall(url, body))).toMatchObject([
      { event: 'complete', data: { result: { n: 1 }, _meta: { replayed: true } } },
    ])
    expect(counted.runs).toBe(1)
  })

  test('runs once when many come at the same moment', async () => {
    const counted = countedTool(() => 'done')
    const { url } = await serve([counted.tool])
    const answers = await Promise.all(Array.from({ length: 20 }, () => postJson(url, body)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(counted.runs).toBe(1)
  })

  test('gets the stored answer of an agent that was started anew', async () => {
    const counted = countedTool(() => 'done')
    const before = await serve([counted.tool])
    await postJson(before.url, body)
    await before.stop()
    const after = await serve([counted.tool], { dataDir: before.dataDir })
    expect(await postJson(after.url, body)).toMatchObject({ body: { result: { _meta: { replayed: true } } } })
    expect(counted.runs).toBe(1)
  })

  test('is refused with other arguments or another tool, while the work runs and after it', async () => {
    const gate = new EventEmitter()
    const counted = countedTool(async () => {
      await once(gate, 'open')
      return 'done'
    })
    const other = defineTool({
      name: 'other',
      description: '',
      inputSchema: { type: 'object' },
      handler: () => 'other',
    })
    const { url } = await serve([counted.tool, other])
    const first = await post(url, body, { headers: { Accept: 'text/event-stream' } })
    const conflict = { status: 409, body: { error: { data: { title: 'IDEMPOTENCY_CONFLICT', callId: 'c1' } } } }
    const strangers = [
      callBody('work', { a: 2 }, { callId: 'c1' }),
      callBody('other', { a: 1, b: [2] }, { callId: 'c1' }),
    ]
    for (const stranger of strangers) expect(await postJson(url, stranger)).toMatchObject(conflict)
    gate.emit('open')
    await first.text()
    for (const stranger of strangers) expect(await postJson(url, stranger)).toMatchObject(conflict)
    expect(await postJson(url, body)).toMatchObject({ status: 200 })
    expect(counted.runs).toBe(1)
  })

  test.each<[ErrorCode, number]>([
    ['OUTCOME_UNKNOWN', 1],
    ['INTERNAL_ERROR', 1],
    ['FORBIDDEN', 1],
    ['HITL_APPROVAL_REQUIRED', 2],
    ['INVALID_PARAMS', 2],
    ['TOKEN_BUDGET_EXCEEDED', 2],
    ['AGENT_UNAVAILABLE', 2],
  ])('after the error %s makes %i run(s) of two calls', async (code, runs) => {
    const counted = countedTool(() => {
      throw new ToolError(code, 'not this time', { path: 'a' })
    })
    const { url } = await serve([counted.tool])
    const first = await postJson(url, body)
    expect(first).toMatchObject({ body: { error: { data: { title: code, path: 'a' } } } })
    expect(await postJson(url, body)).toEqual(first)
    expect(counted.runs).toBe(runs)
  })

  test('is not run again when the stored answer cannot be read', async () => {
    const counted = countedTool(() => 'done')
    const { url, dataDir, logs } = await serve([counted.tool])
    await postJson(url, body)
    const [name = ''] = await storedAnswers(dataDir)
    await writeFile(join(dataDir, 'answers', name), '{"format":')
    expect(await postJson(url, body)).toMatchObject({
      status: 504,
      body: { error: { data: { title: 'OUTCOME_UNKNOWN' } } },
    })
    expect(counted.runs).toBe(1)
    expect(logs).toContainEqual(expect.objectContaining({ level: 'error', callId: 'c1' }))
  })

  test('still gets its answer sent when it cannot be stored, and the log says so', async () => {
    const { tool } = countedTool(() => 'done')
    const { url, dataDir, logs } = await serve([tool])
    await rm(join(dataDir, 'answers'), { recursive: true })
    expect(await postJson(url, body)).toMatchObject({ status: 200 })
    expect(logs).toContainEqual(
      expect.objectContaining({ level: 'error', msg: expect.stringContaining(join(dataDir, 'answers')) }),
    )
  })
})

describe('the kept answers', () => {
  const callOf = (callId: string) => callBody('work', {}, { callId })

  test('are removed at the start once they are too old or too many, oldest first', async () => {
    const counted = countedTool(() => 'done')
    const dataDir = await makeFolder()
    const serveOnce = async (callIds: readonly string[], maxStoredAnswers = 10) => {
      const server = await serve([counted.tool], { dataDir, maxStoredAnswers })
      const atStart = await storedAnswers(dataDir)
      for (const callId of callIds) await postJson(server.url, callOf(callId))
      await server.stop()
      return atStart
    }
    await serveOnce(['c1'])
    const [oldest = ''] = await storedAnswers(dataDir)
    await serveOnce(['c2', 'c3'])
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
    await utimes(join(dataDir, 'answers', oldest), yesterday, yesterday)
    expect(await serveOnce([])).toHaveLength(2)
    expect(await serveOnce(['c3'], 1)).toHaveLength(1)
    expect(counted.runs).toBe(3)
  })

  test('are removed at a pace while the agent runs', async () => {
    const { tool } = countedTool(() => 'done')
    const { url, dataDir } = await serve([tool], { pruneIntervalMs: 5, maxStoredAnswers: 2 })
    for (let index = 0; index < 6; index++) await postJson(url, callOf(`c${index}`))
    await until(async () => (await storedAnswers(dataDir)).length === 2)
    expect(await postJson(url, callOf('c5'))).toMatchObject({ body: { result: { _meta: { replayed: true } } } })
  })

  test('leave nothing behind that a dead process had half written, and touch nothing of others', async () => {
    const dataDir = await makeFolder()
    const { tool } = countedTool(() => 'done')
    await (await serve([tool], { dataDir })).stop()
    const unfinished = join(dataDir, 'answers', 'abc.json.1.tmp')
    await writeFile(unfinished, '{')
    const foreign = join(dataDir, 'answers', 'notes.txt')
    await writeFile(foreign, 'mine')
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000)
    for (const path of [unfinished, foreign]) await utimes(path, longAgo, longAgo)
    await serve([tool], { dataDir })
    expect(await storedAnswers(dataDir)).toEqual(['notes.txt'])
  })
})
