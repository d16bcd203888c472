/** The text of a JSON Pointer (RFC 6901). */
export const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

/** The value at a JSON Pointer; undefined where there is none. */
export function valueAt(pointer: string, value: unknown): unknown {
  let found = value
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    // An array has its length as a member of its own, which is none of the JSON.
    if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}
