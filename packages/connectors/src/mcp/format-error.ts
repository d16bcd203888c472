/** Errors of `JSON.parse` and of the client library's schema, by name: what was read is no JSON-RPC. */
const FORMAT_ERRORS = new Set(['SyntaxError', 'ZodError', '$ZodError'])

/** Whether an error says that what was read is no JSON-RPC message. */
export function isFormatError(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'name' in thrown && FORMAT_ERRORS.has(String(thrown.name))
}
