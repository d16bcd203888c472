import type { CallRow } from './call-row.js'
import { type CallUpdate, hasEnded } from './call-update.js'

/** A row with its place in the tree. */
export interface PlacedRow {
  readonly row: CallRow
  /** What is drawn before its tool: the branches that lead to it, empty for a call that was made for no other one that is shown. */
  readonly branch: string
}

/** Most calls kept at a time. A filter may hide every end from us. */
const MAX_ROWS = 200

/** The calls of a trace that are shown, each below the one that it was made for; they leave together, once all of a tree have ended. */
export class CallTree {
  readonly #rows = new Map<string, CallRow>()

  /**
   * Takes what is newly known of a call.
   * @returns rows that leave: a whole tree that has ended, or a row that makes room
   */
  take(update: CallUpdate, nowMs: number): readonly PlacedRow[] {
    const known = this.#rows.get(update.callId)
    const left = known === undefined && this.#rows.size >= MAX_ROWS ? this.#makeRoom() : []
    const until = hasEnded(update.state) ? { untilMs: nowMs } : {}
    this.#rows.set(update.callId, { sinceMs: nowMs, ...known, ...update, ...until })
    const tree = this.#below(this.#rootOf(update.callId))
    if (!tree.every(({ row }) => hasEnded(row.state))) return left
    for (const { row } of tree) this.#rows.delete(row.callId)
    return [...left, ...tree]
  }

  /** Every row, each followed by those below it. */
  placed(): readonly PlacedRow[] {
    const roots = [...this.#rows.values()].filter((row) => this.#parentOf(row) === undefined)
    return roots.flatMap(({ callId }) => this.#below(callId))
  }

  clear(): void {
    this.#rows.clear()
  }

  /** A row that has ended makes room before one that has not, and stays to be read; else the one shown longest goes. */
  #makeRoom(): readonly PlacedRow[] {
    const rows = [...this.#rows.values()]
    const row = rows.find(({ state }) => hasEnded(state)) ?? rows[0]
    if (row === undefined) return []
    this.#rows.delete(row.callId)
    return hasEnded(row.state) ? [{ row, branch: '' }] : []
  }

  #parentOf({ parentCallId }: CallRow): CallRow | undefined {
    return parentCallId === undefined ? undefined : this.#rows.get(parentCallId)
  }

  #rootOf(callId: string): string {
    let root = callId
    for (let row = this.#rows.get(callId); row !== undefined; row = this.#parentOf(row)) root = row.callId
    return root
  }

  #below(callId: string, branch = '', indent = ''): readonly PlacedRow[] {
    const row = this.#rows.get(callId)
    if (row === undefined) return []
    const children = [...this.#rows.values()].filter(({ parentCallId }) => parentCallId === callId)
    const placed = children.flatMap((child, at) => {
      const isLast = at === children.length - 1
      return this.#below(child.callId, `${indent}${isLast ? '└─ ' : '├─ '}`, `${indent}${isLast ? '   ' : '│  '}`)
    })
    return [{ row, branch }, ...placed]
  }
}
