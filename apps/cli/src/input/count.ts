import { InvalidArgumentError } from 'commander'

/**
 * Reads how many items a list may show.
 * @throws InvalidArgumentError
 */
export function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 100_000) return count
  throw new InvalidArgumentError('Give a whole number from 1 to 100000.')
}
