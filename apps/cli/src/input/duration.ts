import { InvalidArgumentError } from 'commander'

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/**
 * Reads a duration such as `500ms`, `30s`, `1.5m`, in ms. A bare number is refused: it might mean seconds or ms.
 * @throws InvalidArgumentError
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? []
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('Give a duration such as 500ms, 30s, 5m or 2h.')
  const durationMs = Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS])
  if (durationMs > 0 && durationMs < 2 ** 31) return durationMs
  throw new InvalidArgumentError('Give a duration above zero and below 24 days.')
}

/**
 * Reads an instant: ISO 8601, or a duration that is so long ago. Gives ISO 8601.
 * @throws InvalidArgumentError
 */
export function parseInstant(text: string): string {
  if (DURATION.test(text)) return new Date(Date.now() - parseDuration(text)).toISOString()
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError('Give an instant such as 2026-01-31T12:00:00Z, or how long ago it was, such as 2h.')
  }
  return instant.toISOString()
}
