/** The names of a JSON Pointer (RFC 6901), from the outside in; none for the whole value. */
export function readPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
