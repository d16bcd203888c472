/**
 * The code of a system error, e.g. `ENOENT`; undefined for what is none. Read by shape, for under a test runner the
 * system's errors belong to another realm, where `instanceof Error` is false.
 */
export function readErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The words of whatever was thrown, by shape for the same reason. */
export function readErrorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  return String(error.message)
}
