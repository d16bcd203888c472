import { Cluster, Redis } from 'ioredis'
import { leaveReplica } from './demotion.js'
import { GatheredRedis } from './gathered-redis.js'
import { createKeys, type Keys } from './keys.js'
import { parseClusterUrls, rotateNodes } from './node-address.js'
import { SCRIPTS, type Script } from './script.js'
import { ScriptCommand } from './script-command.js'
import { toStoreFailure } from './store-failure.js'

/** A client of one node or of a cluster. */
export type RedisClient = Redis | Cluster

/** How a connection behaves while Redis is away. */
export interface ConnectionOptions {
  /** Whether commands wait for the connection; false refuses them at once. */
  readonly enableOfflineQueue: boolean
  /** How often a command is sent again after the connection was lost; null never gives up. */
  readonly maxRetriesPerRequest: number | null
  /** Longest wait for one answer, in ms; no bound where absent. */
  readonly commandTimeout?: number
  /** Connects only when told to. */
  readonly lazyConnect: boolean
  /** Asked before each attempt to connect again; false gives the connection up. It never gives up where absent. */
  readonly mayReconnect?: () => boolean
}

/** Where Redis is and how long an answer is waited for. */
export interface RedisLinkOptions {
  /** `redis://` or `rediss://`; several, separated by commas, name nodes of a cluster. */
  readonly url: string
  /** Prefix of all keys; tests that share a Redis each take their own. `synchub` by default. */
  readonly prefix?: string
  /** Longest wait for one answer, in ms; 1500 by default, so that callers learn of an outage within 2 s. */
  readonly commandTimeoutMs?: number
}

/** The connections that one process shares: one for commands, one for subscriptions. */
export interface RedisLink {
  readonly keys: Keys
  readonly commands: RedisClient
  readonly subscriber: Redis
  /** Runs an atomic step. @throws HubError HUB_UNAVAILABLE */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Runs plain commands. @throws HubError HUB_UNAVAILABLE */
  ask<T>(question: (client: RedisClient) => Promise<T>): Promise<T>
  /** One more connection with the same address, for whoever must own one. */
  open(options: ConnectionOptions): RedisClient
  /** Told when the server has become a replica and the link leaves it: whoever owns a connection leaves it as well. Returns how to stop. */
  onDemotion(leave: () => void): () => void
  close(): Promise<void>
}

/** Connects; fails when Redis does not answer. Nothing is queued while it is away: callers are told at once. */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const commandTimeout = options.commandTimeoutMs ?? 1500
  const open = (connection: ConnectionOptions) => connect(options.url, connection)
  const subscriber = connectSubscriber(options.url, commandTimeout)
  // What is published at the new primary need not come to where the subscriber still is.
  const leaving = new Set([() => subscriber.disconnect(true)])
  const leaveAll = () => {
    for (const leave of leaving) leave()
  }
  const commands = connect(
    options.url,
    { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout, lazyConnect: true },
    leaveReplica(leaveAll),
  )
  const opened = [commands, subscriber]
  // Failures reach callers as HUB_UNAVAILABLE; without a listener ioredis would print each of them.
  for (const client of opened) client.on('error', () => undefined)
  // Why a connection that was lost does not come back: the commands that fail meanwhile say only that there is none.
  let refusal: unknown
  commands.on('error', (failure: Error & { readonly lastNodeError?: unknown }) => {
    refusal = failure.lastNodeError ?? failure
  })
  commands.on('ready', () => {
    refusal = undefined
  })
  try {
    await Promise.all(opened.map((client) => client.connect()))
  } catch (thrown) {
    for (const client of opened) client.disconnect()
    throw toStoreFailure(thrown)
  }
  const ask = async <T>(question: (client: RedisClient) => Promise<T>): Promise<T> => {
    try {
      return await question(commands)
    } catch (thrown) {
      throw toStoreFailure(thrown, commands.status === 'ready' ? undefined : refusal)
    }
  }
  return {
    keys: createKeys(options.prefix ?? 'synchub'),
    commands,
    subscriber,
    ask,
    open,
    onDemotion(leave) {
      leaving.add(leave)
      return () => void leaving.delete(leave)
    },
    run: (script, keys, args) => ask((client) => evaluate(client, script, keys, args)),
    async close() {
      // A Redis that hangs holds nobody up: nothing is lost with the subscriber, and QUIT has its time limit.
      subscriber.disconnect()
      if (commands.status === 'ready') await commands.quit().catch(() => undefined)
      commands.disconnect()
    },
  }
}

/** Comes back soon after an outage, and does not hammer a Redis that is down. */
const reconnectDelayMs = (times: number) => Math.min(50 * 2 ** times, 1000)

/** How long a connection that we close waits for the other side before its socket is destroyed: a hung Redis never answers. */
const DISCONNECT_TIMEOUT_MS = 500

function connect(
  url: string,
  { mayReconnect = () => true, ...options }: ConnectionOptions,
  reconnectOnError: (refusal: Error) => boolean = () => false,
): RedisClient {
  const retryStrategy = (times: number) => (mayReconnect() ? reconnectDelayMs(times) : null)
  const urls = url.split(',')
  if (urls.length === 1) {
    return new GatheredRedis(url, {
      ...options,
      retryStrategy,
      reconnectOnError,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    })
  }
  const { nodes, access } = parseClusterUrls(urls)
  const { lazyConnect, enableOfflineQueue, ...own } = options
  const redisOptions = { ...own, ...access, disconnectTimeout: DISCONNECT_TIMEOUT_MS }
  return new Cluster([...nodes], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    redisOptions,
  })
}

/** One plain connection, of a cluster too. Who listens to what is known to `shareSubscriptions` alone, which takes it up again. */
function connectSubscriber(url: string, commandTimeout: number): Redis {
  const options = {
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    lazyConnect: true,
    retryStrategy: reconnectDelayMs,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  }
  const urls = url.split(',')
  if (urls.length === 1) return new Redis(url, options)
  const address = parseClusterUrls(urls)
  return new Redis({ ...options, ...address.access, Connector: rotateNodes(address, DISCONNECT_TIMEOUT_MS) })
}

async function evaluate(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.sendCommand(new ScriptCommand(script, keys, args))
  } catch (thrown) {
    // A node that was restarted or joined does not know the script; EVAL teaches it.
    if (!(thrown instanceof Error) || !thrown.message.startsWith('NOSCRIPT')) throw thrown
    return client.eval(script.source, script.keyCount, ...keys, ...args)
  }
}

/** Teaches the steps to the node that answers, so that the first calls do not pay for it. */
export async function loadScripts(link: RedisLink): Promise<void> {
  await link.ask((client) => Promise.all(Object.values(SCRIPTS).map(({ source }) => client.script('LOAD', source))))
}
