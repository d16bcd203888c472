import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '@synchub/core'
import { startDispatcher } from '@synchub/dispatcher'
import { startHub } from '@synchub/hub'
import type { JsonObject } from '@synchub/protocol'
import { openStore, type Store } from '@synchub/redis'
import { createLogger } from '@synchub/telemetry'
import { StoryClock } from './story-clock.js'

const SITE = fileURLToPath(new URL('../../dist/site', import.meta.url))

/** A hub with its dispatcher and the built dashboard, in a place of their own in the tests' Redis. */
export interface DashboardPlace {
  readonly url: string
  /** The same place, by a clock that a story sets. */
  readonly store: Store
  readonly clock: StoryClock
  /** Ends the hub, and starts it again at the same address once `meanwhile` is done. */
  restartHub(meanwhile?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Starts a place. */
export async function openDashboardPlace(setting: {
  readonly agents: Readonly<Record<string, JsonObject>>
  readonly access?: JsonObject
}): Promise<DashboardPlace> {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error('the dashboard is not built: run "npm run build" first')
  const prefix = `test-${randomUUID()}`
  const redisUrl = process.env.SYNCHUB_TEST_REDIS_URL ?? ''
  const text = JSON.stringify({ access: {}, ...setting, streams: { lingerMs: 500 } })
  const config = parseConfig({ text, file: 'test.config.json', environment: {} })
  const logger = createLogger({ name: 'hub', level: 'silent' })
  const parts = { config, redisUrl, redisPrefix: prefix, logger }
  const clock = new StoryClock()
  const store = await openStore({ url: redisUrl, prefix, clock, onFailure: () => undefined })
  const dispatcher = await startDispatcher(parts)
  let hub = await startHub({ ...parts, host: '127.0.0.1', port: 0, dashboardDir: SITE })
  const { url } = hub
  const start = () => startHub({ ...parts, host: '127.0.0.1', port: Number(new URL(url).port), dashboardDir: SITE })
  await untilReady(url)
  return {
    url,
    store,
    clock,
    async restartHub(meanwhile = () => Promise.resolve()) {
      await hub.stop()
      await meanwhile()
      hub = await start()
      await untilReady(url)
    },
    async stop() {
      await hub.stop()
      await dispatcher.stop()
      const { commands } = store.link
      const keys = [...(await commands.keys(`${prefix}:*`)), ...(await commands.keys(`{${prefix}:*`))]
      for (let at = 0; at < keys.length; at += 1000) await commands.unlink(...keys.slice(at, at + 1000))
      await store.close()
    },
  }
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await new Promise((resolve) => setTimeout(resolve, 20))
}
