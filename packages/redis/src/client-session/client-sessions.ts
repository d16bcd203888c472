import { createHash } from 'node:crypto'
import type { JsonObject } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import type { Subscriptions } from '../connection/subscriptions.js'

/** What a client of the handshake era has said for all of its requests. */
export interface ClientSession {
  readonly tenant: string
  readonly subject: string
  /** As it declared them when it opened the session (MCP `ClientCapabilities`). */
  readonly capabilities: JsonObject
  /** From which level on it wants log messages; undefined for none. */
  readonly logLevel?: string
  /** Resources of whose changes it wants to be told. */
  readonly resourceUris: readonly string[]
}

/** Sessions of MCP clients, for all hubs. Each use keeps them for another while. */
export interface ClientSessions {
  open(id: string, session: Pick<ClientSession, 'tenant' | 'subject' | 'capabilities'>): Promise<void>
  /** Null where there is none, or it is over. */
  find(id: string): Promise<ClientSession | null>
  setLogLevel(id: string, level: string): Promise<void>
  addResource(id: string, uri: string): Promise<void>
  removeResource(id: string, uri: string): Promise<void>
  end(id: string): Promise<void>
  /** The name under which a session is kept and announced: its id opens it, and is written nowhere. */
  nameOf(id: string): string
  /** Is told the name of each session that any hub changes or ends, from now on; for the life of the store. */
  listen(onChange: (name: string) => void): void
}

/** A session that nobody uses for so long is over. */
const IDLE_MS = 24 * 3_600_000
const RESOURCE = 'resource:'

/**
 * Sessions over Redis, one hash each, under a digest of the id. Changes are announced over pub/sub.
 * @param maxSessions - of one caller; the one unused for longest ends for a new one, as an idle one does: its client opens another
 * @param onFailure - told when announcements cannot be heard
 */
export function createClientSessions(
  { keys, ask }: RedisLink,
  subscriptions: Subscriptions,
  maxSessions: number,
  onFailure: (thrown: unknown) => void,
): ClientSessions {
  const nameOf = (id: string) => createHash('sha256').update(id).digest('hex')
  const keyOf = (id: string) => keys.clientSession(nameOf(id))
  const set = async (id: string, fields: Readonly<Record<string, string>>) => {
    await ask((client) => Promise.all([client.hset(keyOf(id), fields), client.pexpire(keyOf(id), IDLE_MS)]))
  }
  const announce = async (id: string) => {
    await ask((client) => client.publish(keys.clientSessionChannel, nameOf(id)))
  }
  const endOldest = async (list: string, count: number) => {
    const popped = await ask((client) => client.zpopmin(list, count))
    const names = popped.filter((_, at) => at % 2 === 0)
    await ask((client) =>
      Promise.all(
        names.flatMap((name) => [
          client.del(keys.clientSession(name)),
          client.publish(keys.clientSessionChannel, name),
        ]),
      ),
    )
  }
  return {
    async open(id, { tenant, subject, capabilities }) {
      await set(id, { tenant, subject, capabilities: JSON.stringify(capabilities) })
      const list = keys.clientSessionsOf(tenant, subject)
      const nowMs = Date.now()
      const [, , , count] = await ask((client) =>
        Promise.all([
          client.zadd(list, nowMs, nameOf(id)),
          client.pexpire(list, IDLE_MS),
          client.zremrangebyscore(list, '-inf', nowMs - IDLE_MS),
          client.zcard(list),
        ]),
      )
      if (count > maxSessions) await endOldest(list, count - maxSessions)
    },
    async find(id) {
      const [fields] = await ask((client) =>
        Promise.all([client.hgetall(keyOf(id)), client.pexpire(keyOf(id), IDLE_MS)]),
      )
      const { tenant, subject, capabilities, logLevel } = fields
      if (tenant === undefined || subject === undefined) return null
      // Used now. XX: one that has ended meanwhile is not listed again.
      const list = keys.clientSessionsOf(tenant, subject)
      await ask((client) =>
        Promise.all([client.zadd(list, 'XX', Date.now(), nameOf(id)), client.pexpire(list, IDLE_MS)]),
      )
      const resourceUris = Object.keys(fields)
        .filter((name) => name.startsWith(RESOURCE))
        .map((name) => name.slice(RESOURCE.length))
      return {
        tenant,
        subject,
        capabilities: JSON.parse(capabilities ?? '{}') as JsonObject,
        ...(logLevel === undefined ? {} : { logLevel }),
        resourceUris,
      }
    },
    async setLogLevel(id, logLevel) {
      await set(id, { logLevel })
      await announce(id)
    },
    async addResource(id, uri) {
      await set(id, { [RESOURCE + uri]: '1' })
      await announce(id)
    },
    async removeResource(id, uri) {
      await ask((client) => client.hdel(keyOf(id), RESOURCE + uri))
      await announce(id)
    },
    async end(id) {
      const [tenant, subject] = await ask((client) => client.hmget(keyOf(id), 'tenant', 'subject'))
      if (tenant != null && subject != null) {
        await ask((client) => client.zrem(keys.clientSessionsOf(tenant, subject), nameOf(id)))
      }
      await ask((client) => client.del(keyOf(id)))
      await announce(id)
    },
    nameOf,
    listen(onChange) {
      subscriptions.add(keys.clientSessionChannel, onChange).catch(onFailure)
    },
  }
}
