import type { ModelCall, TraceModel } from './trace-model.js'

/** A call at its place in the tree. */
export interface TreeRow {
  readonly call: ModelCall
  readonly depth: number
  /** Calls below it, however deep. */
  readonly below: number
}

/**
 * The calls of a trace as rows, each above those that were made for it, brothers in the order in which they were made.
 * @param folded - calls whose rows below are left out
 */
export function toRows({ calls }: TraceModel, folded: ReadonlySet<string>): readonly TreeRow[] {
  const children = new Map<string | undefined, ModelCall[]>()
  for (const call of calls.values()) {
    const parent = call.parentCallId !== undefined && calls.has(call.parentCallId) ? call.parentCallId : undefined
    const brothers = children.get(parent)
    if (brothers === undefined) children.set(parent, [call])
    else brothers.push(call)
  }
  const rows: TreeRow[] = []
  const add = (call: ModelCall, depth: number, isShown: boolean): number => {
    const at = rows.length
    if (isShown) rows.push({ call, depth, below: 0 })
    let below = 0
    for (const child of children.get(call.callId) ?? []) {
      below += 1 + add(child, depth + 1, isShown && !folded.has(call.callId))
    }
    if (isShown) rows[at] = { call, depth, below }
    return below
  }
  for (const root of children.get(undefined) ?? []) add(root, 0, true)
  return rows
}
