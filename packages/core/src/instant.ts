/** An instant as text: ISO 8601, UTC. @param atMs - milliseconds since 1970 */
export function toInstant(atMs: number): string {
  return new Date(atMs).toISOString()
}
