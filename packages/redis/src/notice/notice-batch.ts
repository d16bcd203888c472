import type { ChangeNotice } from './change-notice.js'

/** What changed in one tick, each trace once. One batch goes to every listener of a tenant, so its bytes are made once for all. */
export class NoticeBatch {
  readonly notices: readonly ChangeNotice[]
  readonly #made = new Map<string, unknown>()

  constructor(notices: readonly ChangeNotice[]) {
    this.notices = notices
  }

  /** What `make` makes of this batch, made once for all who ask by the same name. */
  made<T>(name: string, make: (notices: readonly ChangeNotice[]) => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make(this.notices))
    return this.#made.get(name) as T
  }
}
