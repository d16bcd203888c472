import { createHash } from 'node:crypto'
import type { TraceRef } from '@synchub/core'

const NAME_CHARS = 8
/** An id of every trace that one stream may join fits in; what is longer was never ours. */
const MAX_CHARS = 4096
const PART = new RegExp(`^([\\w-]{${NAME_CHARS}})(\\d{1,15}-\\d{1,10})$`)
/** An id that no log has, for a cursor that is none: every trace is then reset. */
const NONSENSE = 'nonsense'

/**
 * A place in several traces at once: the id of the last event of each that has one. As text it is at most some 35 characters
 * for each trace, and names its traces by a digest: it stays right when the reader asks for them in another order, for more or
 * for fewer.
 */
export class CompositeCursor {
  readonly #names: readonly string[]
  readonly #parts: (string | null)[]
  readonly #ids: (string | null)[]

  /**
   * @param text - a cursor that was sent to the reader before; null at the beginning
   * @param starts - by trace, the id of the event after which to begin where the cursor does not know the trace
   */
  constructor(traces: readonly TraceRef[], text: string | null, starts: readonly (string | undefined)[] = []) {
    this.#names = traces.map(nameOf)
    const ids = text === null ? new Map<string, string>() : parse(text)
    this.#ids = this.#names.map((name, at) => (ids === null ? NONSENSE : (ids.get(name) ?? starts[at] ?? null)))
    this.#parts = this.#names.map((name, at) => partOf(name, this.#ids[at] ?? null))
  }

  /** Id of the last event of this trace; null before its first. */
  idOf(trace: number): string | null {
    return this.#ids[trace] ?? null
  }

  /** Moves the place in one trace, and gives the whole as text; undefined where no trace has a place. */
  move(trace: number, id: string | null): string | undefined {
    this.#ids[trace] = id
    this.#parts[trace] = partOf(this.#names[trace] ?? '', id)
    const text = this.#parts.filter((part) => part !== null).join('.')
    return text === '' ? undefined : text
  }
}

function nameOf({ tenant, owner, traceId }: TraceRef): string {
  return createHash('sha256').update(`${tenant}/${owner}/${traceId}`).digest('base64url').slice(0, NAME_CHARS)
}

function partOf(name: string, id: string | null): string | null {
  return id === null || id === NONSENSE ? null : name + id
}

function parse(text: string): Map<string, string> | null {
  if (text.length > MAX_CHARS) return null
  const ids = new Map<string, string>()
  for (const part of text.split('.')) {
    const [, name, id] = PART.exec(part) ?? []
    if (name === undefined || id === undefined) return null
    ids.set(name, id)
  }
  return ids
}
