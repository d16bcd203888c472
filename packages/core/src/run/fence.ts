import { takeRandomBytes } from '../call/random-bytes.js'

const FENCE_BYTES = 6

/**
 * Makes what tells an attempt from every other of its call, whatever their numbers: a store that has lost the opening of one gives
 * its number again, while the run that held it goes on. No secret, and known to its holder before the store has answered.
 */
export function createFence(): string {
  return takeRandomBytes(FENCE_BYTES).toString('base64url')
}
