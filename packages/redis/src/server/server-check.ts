import { randomUUID } from 'node:crypto'
import { HubError } from '@synchub/protocol'
import type { Redis } from 'ioredis'
import { memoryTrouble, readMemory } from '../memory/memory-state.js'
import { explainRefusal, hideCredentials } from './connection-refusal.js'
import { parseInfo, type ServerInfo } from './server-info.js'
import { askServer } from './server-question.js'
import { isSupportedVersion, OLDEST_REDIS_VERSION } from './supported-version.js'

/** How long a server that somebody else runs may take for the whole check, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000

/** What a server told about itself. */
export interface ServerFacts {
  /** Three numbers, e.g. `7.0.15`. */
  readonly version: string
  /** One sentence for each thing that will do but should not stay as it is. */
  readonly warnings: readonly string[]
}

/**
 * Sees that the server that somebody else runs will do: it answers, lets this user in, is new enough, never evicts what
 * was acknowledged, and takes writes. Several URLs, separated by commas, are nodes of one cluster; each is checked.
 *
 * @throws HubError HUB_UNAVAILABLE whose reason names the first of these that fails, and whose next step is its remedy
 */
export async function checkServer(urls: string): Promise<ServerFacts> {
  const nodes = await Promise.all(urls.split(',').map((url) => checkNode(url.trim())))
  const [first] = nodes
  if (first === undefined) throw new TypeError('a list of URLs that was split has a first one')
  return { version: first.version, warnings: [...new Set(nodes.flatMap(({ warnings }) => warnings))] }
}

async function checkNode(url: string): Promise<ServerFacts> {
  const place = hideCredentials(url)
  requireUrl(url, place)
  const inspect = async (client: Redis): Promise<ServerFacts> => {
    const facts = parseInfo(await client.info())
    const version = facts.get('redis_version') ?? '0.0.0'
    requireVersion(version, place)
    requireNoEviction(facts.get('maxmemory_policy'), place)
    if (facts.get('cluster_enabled') === '1') {
      requireWholeCluster(await client.cluster('INFO'), place)
    } else {
      requirePrimary(facts.get('role'), place)
      await tryWrite(client)
    }
    return { version, warnings: warningsOf(facts, place) }
  }
  try {
    return await askServer({ url, timeoutMs: ANSWER_TIMEOUT_MS, ask: inspect })
  } catch (error) {
    throw error instanceof HubError ? error : explainRefusal(error, place)
  }
}

function requireUrl(url: string, place: string): void {
  if (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return
  throw refusal(
    `Redis: REDIS_URL (${place}) is not the URL of a Redis`,
    'Write it as redis://user:password@host:port, or with rediss:// for TLS.',
  )
}

function refusal(reason: string, nextStep: string): HubError {
  return new HubError('HUB_UNAVAILABLE', reason, { nextStep })
}

function warningsOf(facts: ServerInfo, place: string): string[] {
  const warnings: string[] = []
  if (facts.get('aof_enabled') !== '1') {
    warnings.push(`Redis: the server at ${place} keeps no append-only file, so its restart loses every trace`)
  }
  const trouble = memoryTrouble(readMemory(facts))
  if (trouble !== undefined) warnings.push(`${trouble}, at ${place}`)
  return warnings
}

function requireVersion(version: string, place: string): void {
  if (isSupportedVersion(version)) return
  throw refusal(
    `Redis: the server at ${place} is version ${version}, SyncHub needs ${OLDEST_REDIS_VERSION} or newer`,
    'Upgrade it, or name another one in REDIS_URL.',
  )
}

function requireNoEviction(policy: string | undefined, place: string): void {
  if (policy === undefined || policy === 'noeviction') return
  throw refusal(
    `Redis: the server at ${place} evicts keys when its memory is full (maxmemory-policy ${policy}), which would lose calls`,
    'Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction, and in its configuration.',
  )
}

function requirePrimary(role: string | undefined, place: string): void {
  if (role !== 'slave') return
  throw refusal(
    `Redis: the server at ${place} is a read-only replica`,
    'Let REDIS_URL name the primary of this replica.',
  )
}

function requireWholeCluster(clusterInfo: string, place: string): void {
  if (clusterInfo.includes('cluster_state:ok')) return
  throw refusal(
    `Redis: the server at ${place} belongs to a cluster that is not whole, so it takes no writes`,
    'See redis-cli CLUSTER INFO: every slot needs a running primary.',
  )
}

/** Writes as the trace log does, under a name that ends by itself should this process be killed in between. */
async function tryWrite(client: Redis): Promise<void> {
  const key = `synchub:start-check:${randomUUID()}`
  // Every step of the trace log is a script that writes a stream and publishes.
  const script = `redis.call('XADD', KEYS[1], '1-1', 'event', 'check') redis.call('PUBLISH', KEYS[1], '') return redis.call('DEL', KEYS[1])`
  const sha = String(await client.script('LOAD', script))
  await client.evalsha(sha, 1, key)
}
