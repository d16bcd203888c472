/**
 * Why something was not read. `not_text`, `link` and `special` are passed over by design; the others leave a gap in what the
 * research could see.
 */
export type UnreadCause = 'not_text' | 'link' | 'special' | 'refused' | 'limit' | 'failed'

/** Something of a source that was not read. */
export interface Unread {
  readonly source: string
  /** Path below the source, or the URL; absent when it is the source as a whole. */
  readonly path?: string
  readonly cause: UnreadCause
  /** For people, without absolute paths: a report must not show where the files of this machine lie. */
  readonly reason: string
}

/** A folder may hold very many things that are not read; more than this are counted and no longer listed. */
const MAX_LISTED = 50

/** What was not read of one source: the first ones with their reasons, the rest as a number. */
export class UnreadList {
  readonly #listed: Unread[] = []
  #count = 0
  #hasGap = false

  add(unread: Unread): void {
    this.#count += 1
    this.#hasGap ||= leavesGap(unread.cause)
    if (this.#listed.length < MAX_LISTED) this.#listed.push(unread)
  }

  /** In the order in which they were added, at most {@link MAX_LISTED}. */
  get listed(): readonly Unread[] {
    return this.#listed
  }

  get count(): number {
    return this.#count
  }

  /** Whether the research might have found more, had everything been readable. */
  get hasGap(): boolean {
    return this.#hasGap
  }
}

function leavesGap(cause: UnreadCause): boolean {
  return cause === 'refused' || cause === 'limit' || cause === 'failed'
}
