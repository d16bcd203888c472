import { randomUUID } from 'node:crypto'
import { type HubConfig, parseConfig } from '@synchub/core'
import { type Dispatcher, startDispatcher } from '@synchub/dispatcher'
import type { JsonObject } from '@synchub/protocol'
import { createCatalogueStore, openRedisLink, type RedisClient, type RedisLink } from '@synchub/redis'
import { createLogger } from '@synchub/telemetry'
import { type Hub, startHub } from '../src/index.js'
import { atEnd, stopAtEnd } from './cleanup.js'
import { until } from './until.js'

/** The Redis that all test files share. */
export const sharedRedis = (): string => readEnvironment('SYNCHUB_TEST_REDIS_URL')

/** What a test may change; everything else is as the defaults of the configuration have it. */
export interface HubSetting {
  /** Agents as `synchub.config.json` names them. */
  readonly agents?: Readonly<Record<string, JsonObject>>
  readonly access?: JsonObject
  readonly http?: JsonObject
  readonly limits?: JsonObject
  readonly streams?: JsonObject
  readonly retention?: JsonObject
  /** Public paths as the configuration names them. */
  readonly publicPaths?: Readonly<Record<string, JsonObject>>
  /** The way to Redis that the hubs, or the dispatchers, take. */
  readonly hubRedisUrl?: string
  readonly dispatcherRedisUrl?: string
  /** That of another hub, to be a second process beside it. */
  readonly prefix?: string
}

/** A place in Redis with a configuration, hubs and dispatchers in it, and what they logged. */
export interface HubPlace {
  readonly config: HubConfig
  readonly prefix: string
  /** Lines of JSON that hub and dispatcher wrote. */
  readonly logs: string[]
  /** What of the store belongs to this place. */
  readonly link: RedisLink
  /** At a free port where none is named. */
  startHub(port?: number): Promise<Hub>
  startDispatcher(): Promise<Dispatcher>
}

/** A hub with a dispatcher, whose agents have been looked up. */
export interface RunningHub extends HubPlace {
  readonly url: string
  readonly hub: Hub
  readonly dispatcher: Dispatcher
}

/** Prepares a place; nothing runs in it yet. */
export async function openPlace(setting: HubSetting = {}): Promise<HubPlace> {
  const prefix = setting.prefix ?? `test-${randomUUID()}`
  const { agents = {}, access = {}, http = {}, limits = {}, streams = {}, retention = {}, publicPaths = {} } = setting
  const text = JSON.stringify({
    agents,
    access,
    http,
    limits,
    publicPaths,
    retention,
    streams: { lingerMs: 50, ...streams },
  })
  const config = parseConfig({ text, file: 'test.config.json', environment: {} })
  const logs: string[] = []
  const destination = { write: (line: string) => void logs.push(line) }
  const parts = { config, redisPrefix: prefix }
  const link = await openRedisLink({ url: sharedRedis(), prefix })
  atEnd(async () => {
    if (setting.prefix === undefined) await removeKeys(link.commands, prefix)
    await link.close()
  })
  return {
    config,
    prefix,
    logs,
    link,
    async startHub(port = 0) {
      const logger = createLogger({ name: 'hub', level: 'debug', destination })
      const redisUrl = setting.hubRedisUrl ?? sharedRedis()
      const hub = await startHub({ ...parts, redisUrl, host: '127.0.0.1', port, logger })
      return stoppedAtEnd(hub)
    },
    async startDispatcher() {
      const logger = createLogger({ name: 'dispatcher', level: 'debug', destination })
      const redisUrl = setting.dispatcherRedisUrl ?? sharedRedis()
      return stoppedAtEnd(await startDispatcher({ ...parts, redisUrl, logger }))
    },
  }
}

/** Starts a hub and a dispatcher, and waits until the agents have been looked up. */
export async function runHub(setting: HubSetting = {}): Promise<RunningHub> {
  const place = await openPlace(setting)
  const [hub, dispatcher] = await Promise.all([place.startHub(), place.startDispatcher()])
  await untilReady(hub.url)
  await untilToolsAreChecked(place.link)
  return { ...place, url: hub.url, hub, dispatcher }
}

/** On a busy machine the check of a list's tools takes several looks: those that were not reached yet are refused until then. */
async function untilToolsAreChecked(link: RedisLink): Promise<void> {
  const catalogue = createCatalogueStore(link)
  await until(async () => {
    const { agents } = await catalogue.read()
    return !agents.some(({ refused }) => refused.some(({ pending }) => pending === true))
  })
}

/** Waits until the hub takes calls. */
export async function untilReady(url: string): Promise<void> {
  await until(async () => (await fetch(`${url}/readyz`)).ok)
}

/** Stops at the end what the test has not stopped itself; asked again, it waits for the same end. */
function stoppedAtEnd<T extends { stop(): Promise<void> }>(part: T): T {
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= part.stop()
    return stopped
  }
  stopAtEnd(stop)
  return { ...part, stop }
}

async function removeKeys(client: RedisClient, prefix: string): Promise<void> {
  if (client.status !== 'ready') return
  const keys = [...(await client.keys(`${prefix}:*`)), ...(await client.keys(`{${prefix}:*`))]
  if (keys.length > 0) await client.del(...keys)
}

function readEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests with infra/checks/jest.config.mjs`)
  return value
}
