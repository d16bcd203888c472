import { isJsonObject } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'

/** Who the hub takes a page for (`/session`). */
export interface Session {
  /** `none`: the hub asks nobody for a key. */
  readonly access: 'none' | 'keys'
  readonly tenant: string
  /** Owner of what is made in this session. */
  readonly subject: string
  /** The caller agent; `*` may call itself anything. */
  readonly agent: string
  readonly scopes: readonly string[]
}

/** Who one is. @throws HubError UNAUTHENTICATED for a page that has not signed in */
export async function readSession(connection: HubConnection, signal?: AbortSignal): Promise<Session> {
  return checkSession(connection, await connection.json({ method: 'GET', path: '/session', signal }))
}

/**
 * Signs the pages of this hub in; only such a page may. The browser keeps the session, and the key is kept nowhere.
 * @throws HubError UNAUTHENTICATED for a key that the hub does not know
 */
export async function signIn(connection: HubConnection, apiKey: string, signal?: AbortSignal): Promise<Session> {
  const headers = { authorization: `Bearer ${apiKey}` }
  return checkSession(connection, await connection.json({ method: 'POST', path: '/session', headers, signal }))
}

/** Ends the session of the pages of this hub. */
export async function signOut(connection: HubConnection, signal?: AbortSignal): Promise<void> {
  const answer = await connection.send({ method: 'DELETE', path: '/session', accept: 'application/json', signal })
  if (answer.status >= 400) throw await connection.failureOf(answer)
  answer.close()
}

function checkSession({ baseUrl }: HubConnection, value: unknown): Session {
  if (isSession(value)) return value
  throw notOurHub(baseUrl, 'answered /session with something that is no session')
}

function isSession(value: unknown): value is Session {
  if (!isJsonObject(value)) return false
  const { access, subject, agent, scopes } = value
  return (
    (access === 'none' || access === 'keys') &&
    typeof subject === 'string' &&
    typeof agent === 'string' &&
    Array.isArray(scopes)
  )
}
