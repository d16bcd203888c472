import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallLog, Clock, TraceRef } from '@synchub/core'
import type { Cluster, Redis } from 'ioredis'
import {
  createCallIndex,
  createCallLog,
  createTraceReader,
  openRedisLink,
  type RedisLink,
  type Subscriptions,
  shareSubscriptions,
  type TraceReader,
} from '../../src/index.js'
import { systemClock } from '../clock/system-clock.js'
import { atEnd } from './cleanup.js'
import type { RedisPlace } from './redis-place.js'

/** What one process holds of the store. */
export interface TestStore {
  readonly prefix: string
  readonly link: RedisLink
  readonly subscriptions: Subscriptions
  readonly log: CallLog
  readonly reader: TraceReader
}

export interface TestStoreOptions {
  /** That of another store, to be a second process beside it. */
  readonly prefix?: string
  readonly clock?: Clock
  /** As `openRedisLink` takes it; by default far longer than in production. */
  readonly commandTimeoutMs?: number
}

/** Thousands of commands at once wait for each other on a busy machine; outages have tests of their own. */
const PATIENT_TIMEOUT_MS = 20_000

/** Opens a store of its own connections, closed and its keys removed at the end of the test. */
export async function openTestStore(place: RedisPlace, options: TestStoreOptions = {}): Promise<TestStore> {
  const prefix = options.prefix ?? `test-${randomUUID()}`
  const clock = options.clock ?? systemClock
  const commandTimeoutMs = options.commandTimeoutMs ?? PATIENT_TIMEOUT_MS
  const link = await openRedisLink({ url: place.url(), prefix, commandTimeoutMs })
  const subscriptions = shareSubscriptions(link)
  atEnd(async () => {
    if (options.prefix === undefined) await removeKeys(link, prefix)
    subscriptions.close()
    await link.close()
  })
  return {
    prefix,
    link,
    subscriptions,
    log: createCallLog(link, createCallIndex(link, clock), clock),
    reader: createTraceReader(link),
  }
}

/** The nodes behind a client. */
export function nodesOf(client: Redis | Cluster): Redis[] {
  return client.isCluster ? (client as Cluster).nodes('master') : [client as Redis]
}

/** All keys that match, of all nodes. */
export async function findKeys(link: RedisLink, pattern: string): Promise<string[]> {
  const found = await Promise.all(nodesOf(link.commands).map((node) => node.keys(pattern)))
  return found.flat()
}

/** Fails unless nobody is, or soon will be, subscribed to a channel of the store. */
export async function expectNoChannels({ link, prefix }: TestStore): Promise<void> {
  const givenUpAt = Date.now() + 2000
  for (;;) {
    const found = await Promise.all(nodesOf(link.commands).map((node) => node.pubsub('CHANNELS', `${prefix}:*`)))
    if (found.flat().length === 0) return
    if (Date.now() > givenUpAt) throw new Error(`still subscribed to ${found.flat().join(', ')}`)
    await delay(10)
  }
}

/** Cuts connections on the server's side, as a restart or a full buffer does. */
export async function sever(client: Redis | Cluster): Promise<void> {
  await Promise.all(
    nodesOf(client).map(async (node) => {
      if (node.status !== 'ready') return
      const closed = new Promise((resolve) => node.once('close', resolve))
      const [id] = await Promise.allSettled([node.client('ID')])
      // It was lost without us: a cluster drops connections of its own accord.
      if (id.status === 'rejected') return
      // Its answer may be lost with the connection.
      await Promise.allSettled([node.call('CLIENT', 'KILL', 'ID', id.value, 'SKIPME', 'NO')])
      await closed
    }),
  )
}

/** Removes a trace as if it had never been, as retention or a lost disk does. */
export async function removeTrace(link: RedisLink, trace: TraceRef): Promise<void> {
  const { tenant, owner, traceId } = trace
  const keys = await findKeys(link, `${link.keys.trace(trace).trace.replace(/:trace$/, '')}:*`)
  if (keys.length > 0) await link.commands.del(...keys)
  await link.commands.zrem(link.keys.traces(tenant, owner), traceId)
}

async function removeKeys(link: RedisLink, prefix: string): Promise<void> {
  if (link.commands.status !== 'ready') return
  const keys = [...(await findKeys(link, `${prefix}:*`)), ...(await findKeys(link, `{${prefix}:*`))]
  await Promise.all(keys.map((key) => link.commands.del(key)))
}
