import { randomUUID } from 'node:crypto'
import type { Principal } from '@synchub/auth'
import type { Clock } from '@synchub/core'
import type { JsonObject } from '@synchub/protocol'
import type { ClientSession, ClientSessions } from '@synchub/redis'

/** Header that names a session of the legacy era. */
export const SESSION_HEADER = 'mcp-session-id'

/** How long this hub believes what it has read of a session without hearing of a change: announcements can be lost. */
const KEPT_MS = 10_000
/** Most sessions that are kept; the one that was read first goes first. */
const MAX_KEPT = 10_000

/** The sessions of legacy clients: records in the store, so that any hub serves any request of them. */
export class SessionBook {
  readonly #sessions: ClientSessions
  readonly #clock: Clock
  /** By the names of the sessions. */
  readonly #kept = new Map<string, { readonly session: ClientSession; readonly untilMs: number }>()
  readonly #watchers = new Map<string, Set<() => void>>()
  /** Counts changes: what was read while one happened may be old already, and is not kept. */
  #changes = 0

  constructor(sessions: ClientSessions, clock: Clock) {
    this.#sessions = sessions
    this.#clock = clock
    sessions.listen((name) => this.#forget(name))
  }

  /** Opens a session for a client. @returns its id, which nobody can guess */
  async open({ tenant, subject }: Principal, capabilities: JsonObject): Promise<string> {
    const id = randomUUID()
    await this.#sessions.open(id, { tenant, subject, capabilities })
    return id
  }

  /** The session of a client; null where it is over, or is somebody else's (invariant 8). */
  async find(id: string, { tenant, subject }: Principal): Promise<ClientSession | null> {
    const session = await this.#read(id)
    return session?.tenant === tenant && session.subject === subject ? session : null
  }

  /** Changes a session, for this hub at once and for others as soon as they hear of it. */
  async change(id: string, change: (sessions: ClientSessions) => Promise<void>): Promise<void> {
    await change(this.#sessions)
    this.#forget(this.#sessions.nameOf(id))
  }

  /** Is told when any hub has changed or ended a session. @returns how to stop */
  watch(id: string, onChange: () => void): () => void {
    const name = this.#sessions.nameOf(id)
    const watchers = this.#watchers.get(name) ?? new Set()
    this.#watchers.set(name, watchers.add(onChange))
    return () => {
      watchers.delete(onChange)
      if (watchers.size === 0 && this.#watchers.get(name) === watchers) this.#watchers.delete(name)
    }
  }

  #forget(name: string): void {
    this.#changes++
    this.#kept.delete(name)
    for (const onChange of this.#watchers.get(name) ?? []) onChange()
  }

  async #read(id: string): Promise<ClientSession | null> {
    const name = this.#sessions.nameOf(id)
    const known = this.#kept.get(name)
    const now = this.#clock.now()
    if (known !== undefined && known.untilMs > now) return known.session
    this.#kept.delete(name)
    const changes = this.#changes
    const session = await this.#sessions.find(id)
    if (session === null || changes !== this.#changes) return session
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(name, { session, untilMs: now + KEPT_MS })
    return session
  }
}
