import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { type AgentServer, createLineLogger, serveAgent } from '@synchub/agent-sdk'
import { type Client, createClient } from '@synchub/client'
import { parseConfig } from '@synchub/core'
import { type Dispatcher, startDispatcher } from '@synchub/dispatcher'
import { type Hub, startHub } from '@synchub/hub'
import type { CallNode, JsonObject } from '@synchub/protocol'
import { createLogger } from '@synchub/telemetry'
import { findFreePort } from '../src/redis/free-port.js'
import { Program } from './programs/program.js'
import { SteeredWorker } from './steered-worker.js'

// Processes start and are killed; on two busy cores that takes its time.
jest.setTimeout(60_000)

const TOOL = 'syncverse_run_plan'

interface StepView {
  readonly id: string
  readonly state: string
  readonly callId?: string
  readonly replayed?: true
}

describe('a plan that SyncVerse runs through a hub', () => {
  const worker = new SteeredWorker()
  const logger = createLogger({ name: 'test', level: 'silent' })
  let dir: string
  let workerServer: AgentServer
  let place: Omit<Parameters<typeof startHub>[0], 'host' | 'port'>
  let port: number
  let hub: Hub
  let dispatcher: Dispatcher
  let versePort: number
  let verse: Program
  let client: Client

  const startVerse = async () => {
    const program = new Program('apps/agents/syncverse/dist/main.js', [], {
      PORT: String(versePort),
      DATA_DIR: join(dir, 'verse'),
      SYNCHUB_URL: `http://127.0.0.1:${port}`,
    })
    await program.until((lines) => lines.some(({ msg }) => String(msg).includes('listens on')))
    return program
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'synchub-plan-'))
    const quiet = createLineLogger({ write: () => undefined })
    workerServer = await serveAgent(worker.agent, { dataDir: join(dir, 'worker'), logger: quiet, stopGraceMs: 0 })
    port = await findFreePort()
    versePort = await findFreePort()
    const ofWorker = { url: workerServer.url, safeToRepeat: true, tools: { echo: { mode: 'direct' } } }
    const agents = {
      Worker: ofWorker,
      Stranger: ofWorker,
      SyncVerse: {
        url: `http://127.0.0.1:${versePort}`,
        delegates: ['Worker'],
        safeToRepeat: true,
        maxAttempts: 10,
        retryDelayMs: 200,
      },
    }
    const text = JSON.stringify({ agents, streams: { lingerMs: 50 } })
    place = {
      config: parseConfig({ text, file: 'test.config.json', environment: {} }),
      redisUrl: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
      redisPrefix: `plan-${randomUUID()}`,
      logger,
    }
    verse = await startVerse()
    dispatcher = await startDispatcher(place)
    hub = await startHub({ ...place, host: '127.0.0.1', port })
    client = createClient({ baseUrl: hub.url, callerAgent: 'Tester' })
  })

  beforeEach(async () => {
    while (!(await client.ready()).checks.every(({ ok }) => ok)) await delay(20)
  })

  afterAll(async () => {
    await hub.stop()
    await dispatcher.stop()
    await verse.end('SIGTERM')
    await workerServer.stop()
    await rm(dir, { recursive: true })
  })

  const work = (id: string, name: string, more: JsonObject = {}) => ({
    id,
    tool: 'work',
    agent: 'Worker',
    arguments: { name },
    ...more,
  })
  const echo = (id: string, args: JsonObject, more: JsonObject = {}) => ({
    id,
    tool: 'echo',
    agent: 'Worker',
    arguments: args,
    ...more,
  })

  async function treeOf(traceId: string): Promise<CallNode> {
    const { calls } = await client.trace(traceId)
    const [root, ...others] = calls
    if (root === undefined || others.length > 0) throw new Error(`the trace ${traceId} is no tree of one root`)
    return root
  }

  const stepsOf = (structured: unknown) => (structured as { readonly steps: readonly StepView[] }).steps

  test('has its calls below its own, independent ones at the same time, and passes results on', async () => {
    const traceId = 'plan-of-four'
    const progress: unknown[] = []
    const steps = [
      work('left', 'left-1'),
      work('right', 'right-1'),
      echo('both', { left: { $from: 'left', path: '/did' }, right: { $from: 'right' } }),
    ]
    const ended = client.call(TOOL, { steps }, { traceId, onProgress: (update) => progress.push(update) })
    await worker.untilBegun('left-1', 'right-1')
    worker.end('right-1')
    worker.end('left-1')
    const { isError, structuredContent, content } = await ended
    expect(isError).toBe(false)
    expect(structuredContent).toMatchObject({
      outcome: 'completed',
      traceId,
      counts: { completed: 3 },
      steps: [
        { id: 'left', result: { did: 'left-1' } },
        { id: 'right', result: { did: 'right-1' } },
        { id: 'both', result: { left: 'left-1', right: { did: 'right-1' } } },
      ],
    })
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('3 completed') }])
    expect(progress).toMatchObject([0, 1, 2, 3].map((value) => ({ progress: value, total: 3 })))

    const { children, ...root } = await treeOf(traceId)
    expect(root).toMatchObject({ tool: TOOL, agent: 'SyncVerse', caller: 'Tester', state: 'completed' })
    const ofSteps = new Set(stepsOf(structuredContent).map(({ callId }) => callId))
    expect(new Set(children.map(({ callId }) => callId))).toEqual(ofSteps)
    for (const child of children) expect(child).toMatchObject({ parentCallId: root.callId, caller: 'SyncVerse' })
  })

  test('names for each step how it ended, skips what depends on a failure, and goes on with the rest', async () => {
    const steps = [
      { id: 'broken', tool: 'fail', agent: 'Worker' },
      echo('after', {}, { dependsOn: ['broken'] }),
      { id: 'nowhere', tool: 'no_such_tool', agent: 'Worker' },
      { id: 'foreign', tool: 'echo', agent: 'Stranger' },
      work('wrong', 'wrong', { arguments: { name: 7 } }),
      echo('alone', { x: 1 }),
    ]
    const { isError, structuredContent, content } = await client.call(
      TOOL,
      { steps },
      { traceId: 'plan-with-failures' },
    )
    expect(isError).toBe(true)
    expect(structuredContent).toMatchObject({
      outcome: 'incomplete',
      counts: { tool_failed: 1, skipped: 1, refused: 3, completed: 1 },
      steps: [
        { id: 'broken', state: 'tool_failed', text: 'out of paper' },
        { id: 'after', state: 'skipped', skippedBecause: ['broken'] },
        { id: 'nowhere', state: 'refused' },
        { id: 'foreign', state: 'refused', error: { data: { title: 'FORBIDDEN' } } },
        { id: 'wrong', state: 'refused', error: { data: { title: 'INVALID_PARAMS', path: 'name' } } },
        { id: 'alone', state: 'completed', result: { x: 1 } },
      ],
    })
    expect(JSON.stringify(content)).toContain('skipped (broken)')
  })

  test('is cancelled with all that it has begun, and begins nothing after', async () => {
    const traceId = 'cancelled-plan'
    const steps = [work('first', 'cancelled-1'), echo('never', { cancelled: true }, { dependsOn: ['first'] })]
    const { callId } = await client.start(TOOL, { steps }, { traceId })
    await worker.untilBegun('cancelled-1')
    expect(await client.cancel(callId, { reason: 'enough' })).toMatchObject({ cancelled: true })
    for await (const _ of client.watch(traceId)) {
      // The trace ends when all of its calls have.
    }
    const root = await treeOf(traceId)
    expect(root.state).toBe('cancelled')
    expect(root.children).toMatchObject([{ tool: 'work', state: 'cancelled' }])
    expect(worker.begun).not.toContain('echo {"cancelled":true}')
  })

  test('goes on through a restart of the hub', async () => {
    const traceId = 'restarted-hub'
    const { callId } = await client.start(TOOL, { steps: [work('long', 'restarted-1')] }, { traceId })
    await worker.untilBegun('restarted-1')
    await hub.stop()
    hub = await startHub({ ...place, host: '127.0.0.1', port })
    worker.end('restarted-1')
    const { structuredContent } = await client.wait({ callId, traceId })
    expect(structuredContent).toMatchObject({ counts: { completed: 1 } })
    expect(worker.begun.filter((name) => name === 'restarted-1')).toHaveLength(1)
    expect(await treeOf(traceId)).toMatchObject({ attempt: 1, children: [{ attempt: 1 }] })
  })

  test('goes on with the access token of its next attempt when its dispatcher is replaced', async () => {
    const traceId = 'replaced-dispatcher'
    const steps = [work('first', 'replaced-1'), echo('second', { replaced: 1 }, { dependsOn: ['first'] })]
    const ended = client.call(TOOL, { steps }, { traceId })
    await worker.untilBegun('replaced-1')
    await dispatcher.stop()
    dispatcher = await startDispatcher(place)
    while ((await treeOf(traceId)).attempt < 2) await delay(20)
    worker.end('replaced-1')
    expect((await ended).structuredContent).toMatchObject({ counts: { completed: 2 } })
    expect(worker.begun.filter((name) => name.includes('replaced'))).toEqual(['replaced-1', 'echo {"replaced":1}'])
    expect((await treeOf(traceId)).children).toMatchObject([{ tool: 'work' }, { tool: 'echo', attempt: 1 }])
  })

  test('runs no step twice when SyncVerse is killed in the middle of it and started anew', async () => {
    const traceId = 'killed-in-the-middle'
    const steps = [
      echo('done', { killed: 1 }),
      work('open', 'killed-2', { dependsOn: ['done'] }),
      echo('later', { killed: { $from: 'done', path: '/killed' } }, { dependsOn: ['open'] }),
    ]
    const ended = client.call(TOOL, { steps }, { traceId })
    await worker.untilBegun('killed-2')
    await verse.end('SIGKILL')
    verse = await startVerse()
    while ((await treeOf(traceId)).attempt < 2) await delay(20)
    worker.end('killed-2')
    const { structuredContent } = await ended
    expect(structuredContent).toMatchObject({
      outcome: 'completed',
      steps: [
        { id: 'done', replayed: true },
        { id: 'open', state: 'completed' },
        { id: 'later', result: { killed: 1 } },
      ],
    })
    const { children } = await treeOf(traceId)
    expect(children.map(({ state, attempt }) => [state, attempt])).toEqual(steps.map(() => ['completed', 1]))
    expect(worker.begun.filter((name) => name.includes('killed'))).toEqual([
      'echo {"killed":1}',
      'killed-2',
      'echo {"killed":1}',
    ])
  })
})
