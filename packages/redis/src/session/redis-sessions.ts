import { createHash, randomBytes } from 'node:crypto'
import type { RedisLink } from '../connection/redis-link.js'

/** Sessions of people who signed in with an API key in a browser. */
export interface Sessions {
  /**
   * Opens a session of the key with this hash (SHA-256, hex).
   * @returns its secret, 256 random bits: whoever shows it acts as the key does until `durationMs` have passed
   */
  open(keyHash: string, durationMs: number): Promise<string>
  /** Hash of the key that the session was opened with; null where there is none, or it is over. */
  find(secret: string): Promise<string | null>
  end(secret: string): Promise<void>
}

/** Sessions over Redis. The store knows digests alone: of the secret and of the key, so who reads it cannot act as anybody. */
export function createSessions({ keys, ask }: RedisLink): Sessions {
  const keyOf = (secret: string) => keys.session(createHash('sha256').update(secret).digest('hex'))
  return {
    async open(keyHash, durationMs) {
      const secret = randomBytes(32).toString('base64url')
      await ask((client) => client.set(keyOf(secret), keyHash, 'PX', durationMs))
      return secret
    },
    find: (secret) => ask((client) => client.get(keyOf(secret))),
    async end(secret) {
      await ask((client) => client.del(keyOf(secret)))
    },
  }
}
