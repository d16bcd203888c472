import type { Principal } from '@synchub/auth'
import type { Clock } from '@synchub/core'
import type { RequestId } from '@synchub/protocol'
import type { RequestCancels } from '@synchub/redis'

/** Something that a client may still cancel by the id of its request. */
export interface Cancellable {
  cancel(reason: string): void
}

/** Whose request it is. Ids are unique only within a session, so one without a session cannot be named. */
export interface RequestName {
  readonly principal: Principal
  readonly session: string
  readonly id: RequestId
}

/** A client whose connection broke may still cancel for so long: in the legacy era a broken connection means nothing. */
const KEPT_MS = 10 * 60_000
/** Most requests whose client went away that are kept; the oldest go first. */
const MAX_KEPT = 10_000

/** A request whose client went away before its answer. */
interface LeftRequest {
  readonly untilMs: number
  remove(): void
}

/** The requests of legacy sessions that are being worked on here, and the way to those at other hubs. */
export class OpenRequests {
  readonly #open = new Map<string, Cancellable>()
  readonly #cancels: RequestCancels
  readonly #clock: Clock
  /** In the order in which they are let go: looked at when a request comes, so that no timer waits for each. */
  readonly #left: LeftRequest[] = []

  constructor(cancels: RequestCancels, clock: Clock) {
    this.#cancels = cancels
    this.#clock = clock
    cancels.listen((name, reason) => this.#open.get(name)?.cancel(reason))
  }

  /** Keeps a request until the returned function is called; it is kept on for a while where the client went away first. */
  add(name: RequestName, request: Cancellable): (isAnswered: boolean) => void {
    const key = keyOf(name)
    this.#letGo()
    this.#open.set(key, request)
    const remove = () => {
      // A later request may have taken the name.
      if (this.#open.get(key) === request) this.#open.delete(key)
    }
    return (isAnswered) => {
      if (isAnswered) remove()
      else this.#left.push({ untilMs: this.#clock.now() + KEPT_MS, remove })
    }
  }

  /** Cancels a request here or at another hub; one that is unknown or over is ignored. @throws HubError HUB_UNAVAILABLE */
  async cancel(name: RequestName, reason: string): Promise<void> {
    const key = keyOf(name)
    const request = this.#open.get(key)
    if (request === undefined) await this.#cancels.announce(key, reason)
    else request.cancel(reason)
  }

  #letGo(): void {
    const now = this.#clock.now()
    for (let [oldest] = this.#left; oldest !== undefined; [oldest] = this.#left) {
      if (oldest.untilMs > now && this.#left.length <= MAX_KEPT) return
      oldest.remove()
      this.#left.shift()
    }
  }
}

function keyOf({ principal: { tenant, subject }, session, id }: RequestName): string {
  return JSON.stringify([tenant, subject, session, id])
}
