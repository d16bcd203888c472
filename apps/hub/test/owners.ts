import { randomUUID } from 'node:crypto'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import type { SentHeaders } from './hub-requests.js'

const OWNERS: Readonly<Record<string, { tenant: string; agent: string; subject?: string; scopes: readonly string[] }>> =
  {
    alice: { tenant: 'acme', agent: 'SyncVerse', subject: 'alice', scopes: ['tools:call'] },
    bob: { tenant: 'acme', agent: 'SyncVerse', subject: 'bob', scopes: ['tools:call'] },
    operator: { tenant: 'acme', agent: 'Console', scopes: ['tools:call', 'traces:read:tenant'] },
    queueWatcher: { tenant: 'acme', agent: 'Console', scopes: ['queues:read'] },
    oneOwner: { tenant: 'acme', agent: 'SyncVerse', subject: 'one-owner', scopes: ['tools:call'] },
    desk: { tenant: 'acme', agent: 'Console', subject: 'desk', scopes: ['traces:read:tenant', 'calls:resolve:tenant'] },
    reader: { tenant: 'acme', agent: 'Dashboard', scopes: ['traces:read:tenant'] },
    oneTool: { tenant: 'acme', agent: 'Narrow', scopes: ['tools:call:search'] },
    oneAgent: { tenant: 'acme', agent: 'Narrower', scopes: ['tools:call:Second'] },
    stranger: { tenant: 'beta', agent: 'SyncVerse', subject: 'alice', scopes: ['tools:call', 'traces:read:tenant'] },
  }
const KEYS = new Map(Object.keys(OWNERS).map((name) => [name, `key-${name}-${randomUUID()}`]))

/** Headers of a request by one of the owners. */
export const as = (name: string): SentHeaders => ({ Authorization: `Bearer ${KEYS.get(name)}` })

/** Access with a key for each: alice and bob of one tenant, with people who see all of it, and a stranger of another. */
export const OWNED_ACCESS: JsonObject = {
  mode: 'keys',
  keys: Object.entries(OWNERS).map(([name, key]) => ({ ...key, name, sha256: hashApiKey(KEYS.get(name) ?? '') })),
}
