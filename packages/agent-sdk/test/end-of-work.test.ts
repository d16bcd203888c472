import { EventEmitter, once } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool, type ToolContext, ToolError } from '../src/index.js'
import { callBody, closeAll, collect, post, postJson, serve, storedAnswers, streamCall, until } from './served-agent.js'

/** A tool whose runs wait for `finish`; each run is seen through its context. */
function gatedTool() {
  const gate = new EventEmitter()
  const runs: ToolContext[] = []
  const tool = defineTool({
    name: 'work',
    description: '',
    inputSchema: { type: 'object' },
    streams: true,
    async handler(_, ctx) {
      runs.push(ctx)
      ctx.progress({ progress: runs.length })
      await once(gate, 'finish', { signal: ctx.signal })
      return `run ${runs.length}`
    },
  })
  return { tool, runs, finish: () => gate.emit('finish') }
}

/** A tool that does not look at its signal. */
function deafTool() {
  const gate = new EventEmitter()
  const runs: ToolContext[] = []
  const tool = defineTool({
    name: 'work',
    description: '',
    inputSchema: { type: 'object' },
    async handler(_, ctx) {
      runs.push(ctx)
      const [answer] = await once(gate, 'finish')
      if (answer instanceof ToolError) throw answer
      return String(answer)
    },
  })
  return { tool, runs, finish: (answer: string | ToolError) => gate.emit('finish', answer) }
}

const body = callBody('work', {}, { callId: 'c1' })

function cancelBody(requestId: unknown, reason?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } })
}

afterEach(closeAll)

describe('a cancelled call', () => {
  test('is told to its handler and to all who wait, at once and for ever', async () => {
    const { tool, runs } = gatedTool()
    const { url, dataDir } = await serve([tool])
    const first = streamCall(url, body)
    await first.next()
    const second = postJson(url, body)
    expect((await post(url, cancelBody('c1', 'not wanted any more'))).status).toBe(202)
    const cancelled = {
      code: -31005,
      message: 'Cancelled: not wanted any more',
      data: { title: 'CANCELLED', status: 409 },
    }
    expect(await collect(first)).toMatchObject([{ event: 'failed', data: { error: cancelled } }])
    expect(await second).toMatchObject({ status: 409, body: { error: cancelled } })
    expect(runs.at(0)?.signal.aborted).toBe(true)
    expect(runs.at(0)?.signal.reason).toMatchObject({ code: 'CANCELLED' })
    expect(await postJson(url, body)).toMatchObject({ status: 409, body: { error: cancelled } })
    expect(await storedAnswers(dataDir)).toHaveLength(1)
    expect(runs).toHaveLength(1)
  })

  test('stays cancelled whatever its handler still returns, and after a restart', async () => {
    const { tool, runs, finish } = deafTool()
    const before = await serve([tool])
    const first = postJson(before.url, body)
    await until(() => runs.length === 1)
    await post(before.url, cancelBody('c1'))
    expect(await first).toMatchObject({ body: { error: { message: 'Cancelled: the caller cancelled the call' } } })
    finish('too late')
    expect(await postJson(before.url, body)).toMatchObject({ status: 409 })
    await before.stop()
    const after = await serve([tool], { dataDir: before.dataDir })
    expect(await postJson(after.url, body)).toMatchObject({ status: 409 })
    expect(runs).toHaveLength(1)
  })

  test('keeps its answer when it was done before', async () => {
    const { tool, finish, runs } = gatedTool()
    const { url } = await serve([tool])
    const first = postJson(url, body)
    await until(() => runs.length === 1)
    finish()
    await first
    await post(url, cancelBody('c1'))
    // The cancel of a repeat that is only being looked up comes too late as well.
    const [again] = await Promise.all([postJson(url, body), post(url, cancelBody('c1'))])
    expect(again).toMatchObject({ status: 200, body: { result: { content: [{ text: 'run 1' }] } } })
    expect(await postJson(url, body)).toMatchObject({ status: 200 })
  })

  test('is the one that is named and no other', async () => {
    const { tool, finish, runs } = gatedTool()
    const { url } = await serve([tool])
    const first = postJson(url, body)
    await until(() => runs.length === 1)
    for (const id of ['c2', 7, null]) expect((await post(url, cancelBody(id))).status).toBe(202)
    finish()
    expect(await first).toMatchObject({ status: 200 })
  })
})

describe('work that nobody waits for', () => {
  /** Calls, waits for the first progress and leaves. */
  async function callAndLeave(url: string): Promise<void> {
    const controller = new AbortController()
    for await (const { event } of streamCall(url, body, controller.signal)) if (event === 'progress') break
    controller.abort()
  }

  test('goes on for the grace time, so that a new dispatcher can join it', async () => {
    const { tool, runs, finish } = gatedTool()
    const { url } = await serve([tool], { orphanGraceMs: 60_000 })
    await callAndLeave(url)
    const events = streamCall(url, body)
    expect((await events.next()).value).toMatchObject({ event: 'progress', data: { progress: 1 } })
    finish()
    expect(await collect(events)).toMatchObject([{ event: 'complete', data: { content: [{ text: 'run 1' }] } }])
    expect(runs).toHaveLength(1)
  })

  test('is given up after it, and a later repeat runs it anew', async () => {
    const { tool, runs, finish } = gatedTool()
    const { url, dataDir, logs } = await serve([tool], { orphanGraceMs: 5 })
    await callAndLeave(url)
    await until(() => runs.at(0)?.signal.aborted === true)
    expect(await storedAnswers(dataDir)).toEqual([])
    const events = streamCall(url, body)
    expect((await events.next()).value).toMatchObject({ event: 'progress', data: { progress: 2 } })
    finish()
    expect(await collect(events)).toMatchObject([{ event: 'complete' }])
    expect(logs).toContainEqual(
      expect.objectContaining({ level: 'warn', callId: 'c1', msg: 'gave up: nobody waited for 5 ms' }),
    )
  })

  test('never has two handlers at once: a repeat waits for the one that was given up', async () => {
    const { tool, runs, finish } = deafTool()
    const { url } = await serve([tool], { orphanGraceMs: 5 })
    const controller = new AbortController()
    const first = post(url, body, { signal: controller.signal }).catch((error: unknown) => error)
    await until(() => runs.length === 1)
    controller.abort()
    await first
    await until(() => runs.at(0)?.signal.aborted === true)
    const second = postJson(url, body)
    expect(await postJson(url, callBody('work', { other: true }, { callId: 'c1' }))).toMatchObject({ status: 409 })
    expect(runs).toHaveLength(1)
    finish(new ToolError('INTERNAL_ERROR', 'interrupted'))
    await until(() => runs.length === 2)
    finish('second')
    expect(await second).toMatchObject({ status: 200, body: { result: { content: [{ text: 'second' }] } } })
  })

  test('keeps a result that its handler returned all the same', async () => {
    const { tool, runs, finish } = deafTool()
    const { url } = await serve([tool], { orphanGraceMs: 5 })
    const controller = new AbortController()
    const first = post(url, body, { signal: controller.signal }).catch((error: unknown) => error)
    await until(() => runs.length === 1)
    controller.abort()
    await first
    await until(() => runs.at(0)?.signal.aborted === true)
    const second = postJson(url, body)
    finish('done after all')
    expect(await second).toMatchObject({ body: { result: { content: [{ text: 'done after all' }] } } })
    expect(runs).toHaveLength(1)
  })

  test('is cancelled for good when the cancel comes', async () => {
    const { tool, runs } = gatedTool()
    const { url } = await serve([tool])
    await callAndLeave(url)
    await post(url, cancelBody('c1'))
    expect(await postJson(url, body)).toMatchObject({ status: 409 })
    expect(runs).toHaveLength(1)
  })
})

describe('an agent that is full', () => {
  test('refuses further work, not further waiters, and says when to come again', async () => {
    const { tool, runs, finish } = gatedTool()
    const { url } = await serve([tool], { maxRunningCalls: 1 })
    const first = postJson(url, body)
    await until(() => runs.length === 1)
    const second = postJson(url, body)
    const refused = await post(url, callBody('work', {}, { callId: 'c2' }), {
      headers: { Accept: 'text/event-stream' },
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { data: { title: 'AGENT_UNAVAILABLE' } } })
    finish()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  })
})

describe('an agent that stops', () => {
  test('finishes running calls within the grace time and takes no new ones', async () => {
    const { tool, runs, finish } = gatedTool()
    const server = await serve([tool], { stopGraceMs: 60_000 })
    const first = collect(streamCall(server.url, body))
    await until(() => runs.length === 1)
    const stopped = server.stop()
    const refused = await postJson(server.url, callBody('work', {}, { callId: 'c2' }))
    expect(refused).toMatchObject({ status: 503, body: { error: { data: { title: 'AGENT_UNAVAILABLE' } } } })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(503)
    const joined = postJson(server.url, body)
    finish()
    expect((await first).at(-1)?.event).toBe('complete')
    expect((await joined).status).toBe(200)
    await stopped
    await server.stop()
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
    expect(runs).toHaveLength(1)
  })

  test('gives up what does not end in time, without an answer that could be taken for one', async () => {
    const { tool, runs } = gatedTool()
    const server = await serve([tool], { stopGraceMs: 5 })
    const events = streamCall(server.url, body)
    await events.next()
    await server.stop()
    expect(runs.at(0)?.signal.aborted).toBe(true)
    await expect(events.next()).rejects.toThrow('terminated')
    expect(await storedAnswers(server.dataDir)).toEqual([])
  })

  test('does not wait for a handler that does not listen, nor for an idle connection', async () => {
    const { tool, runs } = deafTool()
    const server = await serve([tool], { stopGraceMs: 5, stopAbortMs: 5 })
    const first = post(server.url, body)
    await until(() => runs.length === 1)
    await (await fetch(`${server.url}/healthz`)).text()
    await Promise.all([server.stop(), expect(first).rejects.toThrow('fetch failed')])
  })
})
