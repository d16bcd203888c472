import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@synchub/client'
import { parseConfig } from '@synchub/core'
import { startDispatcher } from '@synchub/dispatcher'
import { startHub } from '@synchub/hub'
import { createLogger } from '@synchub/telemetry'
import { startAgents } from '../src/agents/start-agents.js'

const SECRET = 'between-hub-and-agents'

/** Hubs, a dispatcher, and the reference agents as processes of their own. */
export interface ReferencePlace {
  /** One URL for each hub; they share a store. */
  readonly urls: readonly string[]
  stop(): Promise<void>
}

/** Starts SyncBoot and SyncInsight, a dispatcher and some hubs, and waits until the agents have been looked up. */
export async function openReferencePlace(hubCount: number): Promise<ReferencePlace> {
  const dir = await mkdtemp(join(tmpdir(), 'synchub-reference-'))
  const agents = await startAgents({
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
    redisPrefix: `reference-${randomUUID().slice(0, 8)}`,
    logger: createLogger({ name: 'test', level: 'silent' }),
  }
  const dispatcher = await startDispatcher(place)
  const hubs = await Promise.all(
    Array.from({ length: hubCount }, () => startHub({ ...place, host: '127.0.0.1', port: 0 })),
  )
  const urls = hubs.map(({ url }) => url)
  for (const baseUrl of urls) {
    const client = createClient({ baseUrl, callerAgent: 'SyncVerse' })
    await until(async () => (await client.agents()).every(({ available }) => available))
  }
  return {
    urls,
    async stop() {
      for (const hub of hubs) await hub.stop()
      await dispatcher.stop()
      await agents.stop()
      await rm(dir, { recursive: true })
    },
  }
}

/** Waits until something is so. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(50)
}
