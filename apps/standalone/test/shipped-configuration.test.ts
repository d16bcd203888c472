import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import { type Client, createClient } from '@synchub/client'
import { parseConfig } from '@synchub/core'
import { startDispatcher } from '@synchub/dispatcher'
import { startHub } from '@synchub/hub'
import { createLogger } from '@synchub/telemetry'
import { type RunningAgents, startAgents } from '../src/agents/start-agents.js'
import { playDemonstration } from '../src/demonstration/demonstration.js'
import { PROJECT_DIR } from '../src/env.js'
import { findFreePort } from '../src/redis/free-port.js'

const API_KEY = 'shk_of-the-regression-suite'
const KEYS = {
  mode: 'keys',
  keys: [{ name: 'eta', sha256: hashApiKey(API_KEY), tenant: 'acme', agent: 'SyncVerse', scopes: ['tools:call'] }],
}

/** What SyncETA answers of a run. */
interface Verdict {
  readonly outcome: string
  readonly counts: { readonly total: number; readonly passed: number }
  readonly cases: readonly { readonly outcome: string; readonly name: string; readonly message?: string }[]
}

describe('the configuration that comes with the project', () => {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const stops: (() => Promise<void>)[] = []
  let dir: string
  let port: number
  let agents: RunningAgents

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'synchub-suite-'))
    port = await findFreePort()
    agents = await startAgents({
      variables: { ...process.env, SYNCHUB_URL: `http://127.0.0.1:${port}`, SYNCHUB_API_KEY: API_KEY },
      dataDir: dir,
      logDir: dir,
      logLevel: 'warn',
      onProgress: () => undefined,
    })
  })

  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  afterAll(async () => {
    await agents.stop()
    await rm(dir, { recursive: true })
  })

  /** Hub and dispatcher with the configuration that comes with the project, but for who may call. */
  async function serve(access: object): Promise<Client> {
    const file = join(PROJECT_DIR, 'infra', 'synchub.config.json')
    const shipped = JSON.parse(await readFile(file, 'utf8')) as object
    const text = JSON.stringify({ ...shipped, access, streams: { lingerMs: 50 } })
    const config = parseConfig({ text, file, environment: agents.variables })
    const place = {
      config,
      redisUrl: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
      redisPrefix: `suite-${randomUUID()}`,
      logger,
    }
    const dispatcher = await startDispatcher(place)
    stops.push(dispatcher.stop)
    const hub = await startHub({ ...place, host: '127.0.0.1', port })
    stops.push(hub.stop)
    const client = createClient({ baseUrl: hub.url, callerAgent: 'SyncVerse', apiKey: API_KEY })
    while (!(await client.ready()).checks.every(({ ok }) => ok)) await new Promise((resolve) => setTimeout(resolve, 50))
    return client
  }

  test.each([
    ['to everybody on this machine', { mode: 'none' }],
    ['to holders of keys', KEYS],
  ])(
    'has a suite of SyncETA that passes on the hub itself, open %s, each case an event of the trace',
    async (_what, access) => {
      const client = await serve(access)
      const traceId = 'regression'
      const { structuredContent, isError } = await client.call(
        'synceta_run_regression',
        { suite: 'synchub' },
        { traceId },
      )
      const verdict = structuredContent as Verdict | undefined
      expect(verdict?.cases.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
      expect({ isError, outcome: verdict?.outcome }).toEqual({ isError: false, outcome: 'passed' })
      const { total, passed } = verdict?.counts ?? { total: 0, passed: -1 }
      expect(total).toBeGreaterThan(40)
      expect(passed).toBe(total)
      const progress: unknown[] = []
      for await (const item of client.watch(traceId))
        if (item.kind === 'event' && item.event === 'progress') progress.push(item.data.progress)
      expect(progress).toEqual(Array.from({ length: total }, (_, at) => at + 1))
    },
    60_000,
  )

  test('lets SyncVerse play the demonstration over all agents: one trace, one tree, and what came of it', async () => {
    const client = await serve({ mode: 'none' })
    const stream = new PassThrough()
    const output: string[] = []
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
    const { signal } = new AbortController()
    const { traceId } = await playDemonstration({ url: client.baseUrl, stream, signal })
    const { items } = await client.traces()
    expect(items.map((trace) => trace.traceId)).toEqual([traceId])
    const { calls } = await client.trace(traceId)
    expect(calls).toMatchObject([{ tool: 'syncverse_run_plan', state: 'completed' }])
    const made = calls.flatMap(({ children }) => children).map(({ agent, state }) => `${agent} ${state}`)
    expect(made.toSorted()).toEqual([
      'SyncBoot completed',
      'SyncETA completed',
      'SyncInsight completed',
      'SyncInsight completed',
    ])
    const text = output.join('')
    expect(text).toContain('CREATE TABLE tb_membership_grade')
    expect(text).toMatch(/SyncETA \(\d+ ms\)\n {2}The suite synchub passed/)
    expect(text).toMatch(/complete {2}syncverse_run_plan/)
  }, 60_000)
})
