import { setTimeout as delay } from 'node:timers/promises'
import type { HubAnswer, HubConnection } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import { passOnMessages } from './hub-answer.js'
import { ENDPOINT } from './hub-request.js'
import type { LegacySession } from './legacy-session.js'
import type { LineOutput } from './line-output.js'

/** Pause before the stream of a session is opened again. */
const RETRY_MS = 1000

/** What the hub tells a legacy session by itself (changed lists, subscribed resources): its stream, kept open while the session lasts. */
export class SessionStream {
  readonly #connection: HubConnection
  readonly #session: LegacySession
  readonly #output: LineOutput
  readonly #closing = new AbortController()
  #reading: Promise<void> | undefined

  constructor(connection: HubConnection, session: LegacySession, output: LineOutput) {
    this.#connection = connection
    this.#session = session
    this.#output = output
  }

  /** Begins to read; does nothing where it is read already. */
  open(): void {
    this.#reading ??= this.#read(this.#closing.signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#reading
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const headers = await this.#session.headers()
        const request = { method: 'GET', path: ENDPOINT, accept: 'text/event-stream', headers, signal } as const
        const answer = await this.#connection.send(request)
        if (!(await this.#take(answer, headers))) return
      } catch (thrown) {
        // Away: it is there again sooner or later, and requests have their own errors meanwhile.
        if (!signal.aborted && !(thrown instanceof HubError)) throw thrown
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** False where this hub has no such stream. */
  async #take(answer: HubAnswer, headers: Readonly<Record<string, string>>): Promise<boolean> {
    if (answer.status === 200 && answer.is('text/event-stream')) {
      await passOnMessages(answer, this.#output)
      return true
    }
    answer.close()
    if (this.#session.isGone(answer)) await this.#session.reopen(headers)
    // A hub that is stopping, or a proxy before one that is away.
    else return answer.status >= 500
    return true
  }
}
