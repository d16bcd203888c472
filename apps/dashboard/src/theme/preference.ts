/** A choice of a person that a browser remembers; nothing secret is ever one. */
export interface Preference<Value extends string> {
  read(): Value
  write(value: Value): void
  /** Tells of changes, those of other tabs too. Returns what ends it. */
  subscribe(listener: () => void): () => void
}

/**
 * A choice out of a list, kept in localStorage; where that is refused (private windows) it holds for this page.
 * @param fallback - what holds until something was chosen
 */
export function createPreference<Value extends string>(
  name: string,
  values: readonly Value[],
  fallback: () => Value,
): Preference<Value> {
  const listeners = new Set<() => void>()
  let value = readStored(name, values) ?? fallback()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key !== name) return
    value = readStored(name, values) ?? fallback()
    tell()
  })
  return {
    read: () => value,
    write(next) {
      value = next
      store(name, next)
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function readStored<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  try {
    const stored = localStorage.getItem(name)
    return values.find((value) => value === stored)
  } catch {
    return undefined
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Refused by the browser: the choice holds until the page is left.
    return
  }
}
