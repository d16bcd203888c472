import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type AgentServer, defineAgent, defineTool, serveAgent } from '@synchub/agent-sdk'
import { createClient } from '@synchub/client'
import { type RunningAgents, startAgents } from '../src/agents/start-agents.js'
import { findFreePort } from '../src/redis/free-port.js'
import { Program } from './programs/program.js'

const STEPS = 60
const SECRET = 'between-hub-and-agents'

/** Works until it is told to go on, so that the test decides how far the trace is. */
class PacedAgent {
  readonly #waiting: (() => void)[] = []
  #budget = 0

  readonly agent = defineAgent({
    name: 'Paced',
    version: '1.0.0',
    tools: [
      defineTool({
        name: 'paced_work',
        description: 'Takes steps when it is allowed to',
        inputSchema: { type: 'object' },
        streams: true,
        handler: async (_args, { progress }) => {
          for (let step = 1; step <= STEPS; step++) {
            await this.#permission()
            progress({ progress: step, total: STEPS, message: `step ${step}` })
          }
          return { structuredContent: { steps: STEPS } }
        },
      }),
    ],
  })

  allow(steps: number): void {
    this.#budget += steps
    for (const go of this.#waiting.splice(0)) go()
  }

  async #permission(): Promise<void> {
    while (this.#budget === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#budget -= 1
    // One step in each turn: the agent's stream is written as it would be by real work.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a trace that is watched from two terminals', () => {
  const paced = new PacedAgent()
  let dir: string
  let pacedServer: AgentServer
  let agents: RunningAgents
  let dispatcher: Program
  let env: Record<string, string>

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'synchub-two-terminals-'))
    pacedServer = await serveAgent(paced.agent, { port: 0, dataDir: join(dir, 'paced'), secret: SECRET })
    agents = await startAgents({
      variables: { ...process.env, SYNCHUB_AGENT_SECRET: SECRET },
      dataDir: dir,
      logDir: dir,
      logLevel: 'warn',
      onProgress: () => undefined,
    })
    const secret = { env: 'SYNCHUB_AGENT_SECRET' }
    const config = {
      agents: {
        SyncBoot: { url: { env: 'SYNCBOOT_URL' }, secret, mode: 'direct', safeToRepeat: true },
        SyncInsight: { url: { env: 'SYNCINSIGHT_URL' }, secret, safeToRepeat: true },
        Paced: { url: pacedServer.url, secret, safeToRepeat: true },
      },
    }
    const file = join(dir, 'synchub.config.json')
    await writeFile(file, JSON.stringify(config))
    const { SYNCBOOT_URL = '', SYNCINSIGHT_URL = '' } = agents.variables
    env = {
      REDIS_URL: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
      REDIS_PREFIX: `two-terminals-${randomUUID().slice(0, 8)}`,
      SYNCHUB_CONFIG: file,
      SYNCHUB_AGENT_SECRET: SECRET,
      SYNCBOOT_URL,
      SYNCINSIGHT_URL,
    }
    dispatcher = new Program('apps/dispatcher/dist/main.js', [], env)
    await dispatcher.until((lines) => lines.filter(({ msg }) => msg === 'agent changed').length === 3)
  })

  afterAll(async () => {
    await dispatcher.end('SIGTERM')
    await agents.stop()
    await pacedServer.stop()
    await rm(dir, { recursive: true })
  })

  test('is seen whole by both: one is killed and resumed, and the hub is restarted in between', async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const startHub = async () => {
      const program = new Program('apps/hub/dist/main.js', [], { ...env, PORT: String(port) })
      await program.until((lines) => lines.some(({ msg }) => msg === 'hub is listening'))
      return program
    }
    const traceId = 'trace-of-two-terminals'
    const watch = (...more: string[]) =>
      new Program('apps/cli/synchub.mjs', ['--url', url, 'watch', traceId, '--json', ...more], {})
    const hub = await startHub()
    const client = createClient({ baseUrl: url, callerAgent: 'SyncVerse' })

    const { callId } = await client.start('paced_work', {}, { traceId })
    const [schema, research] = await Promise.all([
      client.call('syncboot_generate_schema', SCHEMA_ARGUMENTS, { traceId }),
      client.call('syncinsight_deep_research', RESEARCH_ARGUMENTS, { traceId }),
    ])
    expect(schema.content).toHaveLength(2)
    expect(research.structuredContent).toMatchObject({ reportId: expect.stringMatching(/^rep-/) })

    const first = watch()
    const second = watch()
    paced.allow(20)
    const hasStep = (step: number) => (lines: Record<string, unknown>[]) =>
      lines.some(({ event, data }) => event === 'progress' && isStep(data, step))
    await Promise.all([first.until(hasStep(20)), second.until(hasStep(20))])

    await first.end('SIGKILL')
    const lastSeen = String(first.json.at(-1)?.id)
    paced.allow(10)
    await second.until(hasStep(30))
    expect(await hub.end('SIGTERM')).toBe(0)
    paced.allow(10)
    const hubAgain = await startHub()
    const resumed = watch('--after', lastSeen)
    await Promise.all([resumed.until(hasStep(40)), second.until(hasStep(40))])
    paced.allow(STEPS - 40)
    expect(await Promise.all([resumed.ended(), second.ended()])).toEqual([0, 0])

    const log: unknown[] = []
    for await (const item of client.watch(traceId)) if (item.kind === 'event') log.push(item.id)
    const idsOf = (...programs: Program[]) =>
      programs.flatMap((program) => program.json).flatMap(({ id, event }) => (event === 'end' ? [] : [id]))
    expect(idsOf(second)).toEqual(log)
    expect(idsOf(first, resumed)).toEqual(log)
    expect(log.map((id) => Number(String(id).split('-')[0]))).toEqual(log.map((_, at) => at + 1))
    expect((await client.getCall(callId)).state).toBe('completed')
    expect(await hubAgain.end('SIGTERM')).toBe(0)
  }, 60_000)
})

function isStep(data: unknown, step: number): boolean {
  return typeof data === 'object' && data !== null && 'message' in data && data.message === `step ${step}`
}

const SCHEMA_ARGUMENTS = {
  domainName: 'MembershipGrade',
  fields: [{ name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true }],
}

const RESEARCH_ARGUMENTS = { question: 'How is a trace resumed?', sources: ['readme', 'docs'] }
