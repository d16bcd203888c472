import { randomBytes } from 'node:crypto'
import type { RedisLink } from '../connection/redis-link.js'

const KEY_BYTES = 32

/**
 * The key by which hubs sign what they give to clients to bring again: made by whoever wants it first, the same for all hubs of this
 * store. Nobody keeps it in memory, since a store that was emptied has another one.
 */
export async function readStateKey({ keys, ask }: RedisLink): Promise<Buffer> {
  const made = randomBytes(KEY_BYTES).toString('base64')
  await ask((client) => client.set(keys.stateKey, made, 'NX'))
  const kept = await ask((client) => client.get(keys.stateKey))
  return Buffer.from(kept ?? made, 'base64')
}
