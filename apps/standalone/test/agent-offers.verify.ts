import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import { parseConfig } from '@synchub/core'
import { type Dispatcher, startDispatcher } from '@synchub/dispatcher'
import { type Hub, startHub } from '@synchub/hub'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { createLogger } from '@synchub/telemetry'
import { type RunningAgents, startAgents } from '../src/agents/start-agents.js'

// Agents are processes.
jest.setTimeout(60_000)

const SECRET = 'between-hub-and-agents'
const SCHEMA_URI = 'schema://syncboot/domain/MembershipGrade'

describe('what calls of the reference agents have made', () => {
  let dir: string
  let agents: RunningAgents
  let hub: Hub
  let dispatcher: Dispatcher

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'synchub-offers-'))
    agents = await startAgents({
      variables: { ...process.env, SYNCHUB_AGENT_SECRET: SECRET },
      dataDir: dir,
      logDir: dir,
      logLevel: 'warn',
      onProgress: () => undefined,
    })
    const { SYNCBOOT_URL: boot = '', SYNCINSIGHT_URL: insight = '' } = agents.variables
    const text = JSON.stringify({
      agents: {
        SyncBoot: { url: boot, secret: SECRET, mode: 'direct' },
        SyncInsight: { url: insight, secret: SECRET },
      },
    })
    const place = {
      config: parseConfig({ text, file: 'test.config.json', environment: {} }),
      redisUrl: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
      redisPrefix: `agent-offers-${randomUUID().slice(0, 8)}`,
      logger: createLogger({ name: 'test', level: 'silent' }),
    }
    dispatcher = await startDispatcher(place)
    hub = await startHub({ ...place, host: '127.0.0.1', port: 0 })
    const client = createClient({ baseUrl: hub.url, callerAgent: 'SyncVerse' })
    await until(async () => (await client.agents()).every(({ available }) => available))
  })

  afterAll(async () => {
    await hub.stop()
    await dispatcher.stop()
    await agents.stop()
    await rm(dir, { recursive: true })
  })

  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    const response = await fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body: unknown = await response.json()
    if (isJsonObject(body) && isJsonObject(body.result)) return body.result
    throw new Error(`no result: ${JSON.stringify(body)}`)
  }
  const uris = async () =>
    ((await ask('resources/list')).resources as readonly JsonObject[]).map(({ uri }) => String(uri))

  test('is listed and read by any client: the schema of SyncBoot, the report of SyncInsight', async () => {
    const client = createClient({ baseUrl: hub.url, callerAgent: 'SyncVerse' })
    const [schema, research] = await Promise.all([
      client.call('syncboot_generate_schema', SCHEMA_ARGUMENTS),
      client.call('syncinsight_deep_research', RESEARCH_ARGUMENTS),
    ])
    const [, made] = schema.content as readonly JsonObject[]
    expect(await ask('resources/read', { uri: SCHEMA_URI })).toEqual({ contents: [made?.resource] })

    const { reportId } = research.structuredContent as { readonly reportId: string }
    const reportUri = `report://syncinsight/${reportId}`
    // Before the next round of discovery too: the template makes it.
    expect(await ask('resources/read', { uri: reportUri })).toMatchObject({
      contents: [{ uri: reportUri, mimeType: 'text/markdown', text: expect.stringMatching(/\S/) }],
    })
    await until(async () => (await uris()).includes(reportUri))
    expect(await uris()).toContain(SCHEMA_URI)
    expect((await ask('prompts/list')).prompts).toMatchObject([
      { name: 'weekly_report', _meta: { agent: 'SyncInsight' } },
    ])
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(50)
}

const SCHEMA_ARGUMENTS = {
  domainName: 'MembershipGrade',
  fields: [{ name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true }],
}
const RESEARCH_ARGUMENTS = { question: 'How is a trace resumed?', sources: ['readme', 'docs'] }
