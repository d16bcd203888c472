import type { Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'

const RETRY_SECONDS = 5

/** The event streams of each caller at this hub, which are bounded: one that opens more and more must not take all sockets. */
export class StreamQuota {
  readonly #limit: number
  readonly #open = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts one more stream of a caller. @returns how to count it off, to be called once @throws HubError TOO_MANY_REQUESTS */
  take({ tenant, subject }: Principal): () => void {
    const name = `${tenant}/${subject}`
    const open = this.#open.get(name) ?? 0
    if (open >= this.#limit) {
      const reason = `${subject} has ${open} streams open at this hub, and limits.caller.streams allows no more`
      throw new HubError('TOO_MANY_REQUESTS', reason, {
        limit: this.#limit,
        retryAfterSeconds: RETRY_SECONDS,
        nextStep: 'Close a stream, or watch several traces over one: GET /events?traces=.',
      })
    }
    this.#open.set(name, open + 1)
    return () => {
      const left = (this.#open.get(name) ?? 1) - 1
      if (left > 0) this.#open.set(name, left)
      else this.#open.delete(name)
    }
  }
}
