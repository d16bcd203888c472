import type { ChangeNotice, NoticeLoss } from '@synchub/redis'

/** Most traces whose notices are held for one reader. */
const MAX_HELD = 10_000

/** The notices that wait for a reader whose socket is full: the last one of each trace. */
export class HeldNotices {
  #waiting = new Map<string, ChangeNotice>()
  #loss: NoticeLoss | null = null

  add(notices: readonly ChangeNotice[]): void {
    for (const notice of notices) this.#waiting.set(`${notice.owner}/${notice.traceId}`, notice)
    if (this.#waiting.size > MAX_HELD) this.lose('overflow')
  }

  /** What is held tells less than the list of traces, which the reader must read now anyway. */
  lose(loss: NoticeLoss): void {
    this.#waiting.clear()
    this.#loss = loss
  }

  /** Gives what is held, and holds nothing more. */
  take(): { readonly loss: NoticeLoss | null; readonly waiting: readonly ChangeNotice[] } {
    const taken = { loss: this.#loss, waiting: [...this.#waiting.values()] }
    this.#waiting = new Map()
    this.#loss = null
    return taken
  }
}
