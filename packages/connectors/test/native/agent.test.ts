import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import {
  createLineLogger,
  defineAgent,
  defineTool,
  type ServeOptions,
  serveAgent,
  type ToolContext,
  ToolError,
} from '@synchub/agent-sdk'
import { atEnd, closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { connect } from './rogue-agent.js'

/** An agent of the SDK whose tool `work` runs `handler`. */
async function serve(handler: (ctx: ToolContext) => Promise<string> | string, options: Partial<ServeOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-native-'))
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    streams: true,
    handler: (_, ctx) => handler(ctx),
  })
  const agent = defineAgent({ name: 'Worker', version: '1.0.0', tools: [work] })
  const logger = createLineLogger({ write: () => undefined })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 0, stopAbortMs: 50, ...options })
  atEnd(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  })
  return { server, work }
}

afterEach(closeAll)

describe('the native connection to an agent of the SDK', () => {
  test('lists its tools, sees its progress and gets its result, with the secret', async () => {
    const seen: unknown[] = []
    const { server, work } = await serve(
      ({ callId, traceId, attempt, deadline, callerAgent, progress }) => {
        seen.push({ callId, traceId, attempt, deadline: deadline?.toISOString(), callerAgent })
        progress({ progress: 1, total: 2, message: '반' })
        return '끝'
      },
      { secret: 'open-sesame' },
    )
    const connection = connect(server.url, { secret: 'open-sesame' })
    expect((await connection.listTools(new AbortController().signal)).offers).toEqual([work.listing])
    expect(await call(connection)).toEqual({
      progress: [{ progress: 1, total: 2, message: '반' }],
      signsOfLife: 0,
      outcome: { kind: 'result', result: { content: [{ type: 'text', text: '끝' }], isError: false } },
    })
    const { callId, traceId, attempt, deadline, callerAgent } = REQUEST
    expect(seen).toEqual([{ callId, traceId, attempt, deadline, callerAgent }])
    const stranger = connect(server.url, { secret: 'guess' })
    expect((await call(stranger)).outcome).toMatchObject({ kind: 'error', error: { code: 'UNAUTHENTICATED' } })
    await expect(stranger.listTools(new AbortController().signal)).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
  })

  test('gets its errors', async () => {
    const { server } = await serve(() => {
      throw new ToolError('HITL_APPROVAL_REQUIRED', 'the index changes', { detail: 'Index modification' })
    })
    expect((await call(connect(server.url))).outcome).toMatchObject({
      kind: 'error',
      error: { code: 'HITL_APPROVAL_REQUIRED', reason: 'the index changes', details: { detail: 'Index modification' } },
    })
  })

  test('joins the work of a dispatcher that has gone', async () => {
    const gate = new EventEmitter()
    let runs = 0
    const { server } = await serve(async ({ progress, signal }) => {
      runs++
      progress({ progress: 1 })
      gate.emit('running')
      await once(gate, 'finish', { signal })
      return 'done'
    })
    const controller = new AbortController()
    const running = once(gate, 'running')
    const first = call(connect(server.url), controller.signal)
    await running
    controller.abort()
    expect((await first).outcome).toEqual({ kind: 'aborted' })
    const second = call(connect(server.url))
    gate.emit('finish')
    expect((await second).outcome).toMatchObject({ kind: 'result', result: { content: [{ text: 'done' }] } })
    expect(runs).toBe(1)
  })

  test('cancels its work', async () => {
    const gate = new EventEmitter()
    const { server } = await serve(async ({ signal }) => {
      gate.emit('running')
      await once(gate, 'finish', { signal })
      return 'done'
    })
    const connection = connect(server.url)
    const running = once(gate, 'running')
    const seen = call(connection)
    await running
    await connection.notifyCancelled(REQUEST.callId, 'not wanted')
    expect((await seen).outcome).toMatchObject({ kind: 'error', error: { code: 'CANCELLED', reason: 'not wanted' } })
  })

  test('knows an agent that stops from one that was lost in the middle', async () => {
    const gate = new EventEmitter()
    const { server } = await serve(
      async ({ signal }) => {
        gate.emit('running')
        await once(gate, 'finish', { signal })
        return 'done'
      },
      { stopGraceMs: 50 },
    )
    const connection = connect(server.url)
    const running = once(gate, 'running')
    const first = call(connection)
    await running
    const stopped = server.stop()
    const other = { ...REQUEST, callId: 'call-2' }
    const observer = { onProgress: async () => undefined, onSignOfLife: () => undefined }
    const refused = await connection.call(other, observer, new AbortController().signal)
    expect(refused).toMatchObject({ kind: 'unreachable', error: { reason: 'the agent is stopping' } })
    expect((await first).outcome).toMatchObject({ kind: 'lost' })
    await stopped
    expect((await call(connection)).outcome).toMatchObject({ kind: 'unreachable' })
  })
})
