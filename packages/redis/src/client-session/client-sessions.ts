import { createHash } from 'node:crypto'
import type { JsonObject } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'

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
}

/** A session that nobody uses for so long is over. */
const IDLE_MS = 24 * 3_600_000
const RESOURCE = 'resource:'

/** Sessions over Redis, one hash each, under a digest of the id. */
export function createClientSessions({ keys, ask }: RedisLink): ClientSessions {
  const keyOf = (id: string) => keys.clientSession(createHash('sha256').update(id).digest('hex'))
  const set = async (id: string, fields: Readonly<Record<string, string>>) => {
    await ask((client) => Promise.all([client.hset(keyOf(id), fields), client.pexpire(keyOf(id), IDLE_MS)]))
  }
  return {
    open: (id, { tenant, subject, capabilities }) =>
      set(id, { tenant, subject, capabilities: JSON.stringify(capabilities) }),
    async find(id) {
      const [fields] = await ask((client) =>
        Promise.all([client.hgetall(keyOf(id)), client.pexpire(keyOf(id), IDLE_MS)]),
      )
      const { tenant, subject, capabilities, logLevel } = fields
      if (tenant === undefined || subject === undefined) return null
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
    setLogLevel: (id, logLevel) => set(id, { logLevel }),
    addResource: (id, uri) => set(id, { [RESOURCE + uri]: '1' }),
    async removeResource(id, uri) {
      await ask((client) => client.hdel(keyOf(id), RESOURCE + uri))
    },
    async end(id) {
      await ask((client) => client.del(keyOf(id)))
    },
  }
}
