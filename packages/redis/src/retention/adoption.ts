import { Cluster } from 'ioredis'
import type { RedisLink } from '../connection/redis-link.js'
import { encodeTrace } from '../index/call-index.js'

/** Traces that are taken up with one command. */
const CHUNK = 500

/**
 * Puts the traces of earlier versions, which knew no retention, in the order in which traces go: by their last change. Done once for
 * a store; those that go on leave the order when they are looked at.
 * @returns number of the traces that were taken up; 0 where that was done before
 */
export async function adoptTraces(link: RedisLink): Promise<number> {
  const { keys } = link
  if ((await link.ask((client) => client.exists(keys.adopted))) === 1) return 0
  let adopted = 0
  for (const [tenant, owner] of await listOwners(link)) {
    for (let from = 0; ; from += CHUNK) {
      const flat = await link.ask((client) =>
        client.zrange(keys.changes(tenant, owner), from, String(from + CHUNK - 1), 'WITHSCORES'),
      )
      if (flat.length === 0) break
      const places: (string | number)[] = []
      for (let at = 0; at < flat.length; at += 2) {
        places.push(Number(flat[at + 1]), encodeTrace({ tenant, owner, traceId: flat[at] ?? '' }))
      }
      // NX: what has ended since stands where its end has put it.
      adopted += await link.ask((client) => client.zadd(keys.endedTraces, 'NX', ...places))
    }
  }
  await link.ask((client) => client.set(keys.adopted, '1'))
  return adopted
}

/** Tenant and owner of every list; only here all keys are looked through, since nothing else names all tenants. */
async function listOwners(link: RedisLink): Promise<[string, string][]> {
  const prefix = link.keys.owners('')
  const found = await link.ask(async (client) => {
    const nodes = client instanceof Cluster ? client.nodes('master') : [client]
    const names = new Set<string>()
    for (const node of nodes) {
      let cursor = '0'
      do {
        const [next, some] = await node.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000)
        for (const name of some) names.add(name)
        cursor = next
      } while (cursor !== '0')
    }
    return [...names]
  })
  const lists = await Promise.all(
    found.map(async (name) => {
      const owners = await link.ask((client) => client.smembers(name))
      return owners.map((owner): [string, string] => [name.slice(prefix.length), owner])
    }),
  )
  return lists.flat()
}
