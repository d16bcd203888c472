/** The text of a JSON Pointer (RFC 6901). */
export const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

/** The names of a JSON Pointer, from the outside in; none for the whole value. */
export function readPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a JSON Pointer; undefined where there is none. */
export function valueAtPointer(pointer: string, value: unknown): unknown {
  let found = value
  for (const name of readPointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    // An array has its length as a member of its own, which is none of the JSON.
    if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
