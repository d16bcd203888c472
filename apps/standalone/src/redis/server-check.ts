import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { StartError } from '../start-error.js'
import { explainRefusal, hideCredentials } from './connection-refusal.js'
import { isSupportedVersion, OLDEST_REDIS_VERSION } from './redis-version.js'

/** How long a server that somebody else runs may take to accept a connection or to answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000

/** What a server told about itself. */
export interface ServerFacts {
  /** Three numbers, e.g. `7.0.15`. */
  readonly version: string
  /** False when the server forgets everything at its own restart. */
  readonly isDurable: boolean
}

/**
 * Sees that a server that somebody else runs will do: it answers, lets this user in, is new enough, never evicts what was
 * acknowledged, and takes writes.
 *
 * @throws StartError that names the first of these that fails, with its remedy.
 */
export async function checkServer(url: string): Promise<ServerFacts> {
  const place = hideCredentials(url)
  const client = openClient(url, place)
  let connectionError: unknown
  client.on('error', (error: Error) => {
    connectionError = error
  })
  try {
    await client.connect()
    const facts = parseInfo(await client.info())
    const version = facts.get('redis_version') ?? '0.0.0'
    requireVersion(version, place)
    requireNoEviction(facts.get('maxmemory_policy'), place)
    requirePrimary(facts.get('role'), place)
    await tryWrite(client)
    return { version, isDurable: facts.get('aof_enabled') === '1' }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw explainRefusal(connectionError ?? error, place)
  } finally {
    client.disconnect()
  }
}

function openClient(url: string, place: string): Redis {
  try {
    return new Redis(url, {
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      connectTimeout: ANSWER_TIMEOUT_MS,
      commandTimeout: ANSWER_TIMEOUT_MS,
    })
  } catch (error) {
    const remedy = 'Write it as redis://user:password@host:port/0, or rediss:// for TLS.'
    throw new StartError(`Redis: REDIS_URL (${place}) is not a URL.`, remedy, { cause: error })
  }
}

function parseInfo(info: string): Map<string, string> {
  return new Map([...info.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

function requireVersion(version: string, place: string): void {
  if (isSupportedVersion(version)) return
  throw new StartError(
    `Redis: the server at ${place} is version ${version}, SyncHub needs ${OLDEST_REDIS_VERSION} or newer.`,
    'Upgrade it, or unset REDIS_URL to let SyncHub start a Redis of its own.',
  )
}

function requireNoEviction(policy: string | undefined, place: string): void {
  if (policy === undefined || policy === 'noeviction') return
  throw new StartError(
    `Redis: the server at ${place} evicts keys when its memory is full (maxmemory-policy ${policy}), which would lose calls.`,
    'Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction, and in its configuration.',
  )
}

function requirePrimary(role: string | undefined, place: string): void {
  if (role !== 'slave') return
  throw new StartError(
    `Redis: the server at ${place} is a read-only replica.`,
    'Let REDIS_URL name the primary of this replica.',
  )
}

/** Writes as the trace log does, under a name that ends by itself should this process be killed in between. */
async function tryWrite(client: Redis): Promise<void> {
  const key = `synchub:start-check:${randomUUID()}`
  await client.xadd(key, '1-1', 'event', 'check')
  await client.pexpire(key, ANSWER_TIMEOUT_MS)
  await client.del(key)
}
