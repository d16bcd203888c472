import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findFreePort, type RedisPlace } from './redis-place.js'
import { type RedisServer, startRedisServer } from './redis-server.js'

/** A cluster of three nodes without replicas. */
export interface RedisCluster extends RedisPlace {
  readonly nodes: readonly RedisServer[]
  /** Settles once every node sees the whole cluster. */
  untilWhole(): Promise<void>
  remove(): Promise<void>
}

const SLOTS = 16_384
const NODES = 3

/** Starts a cluster on free ports and waits until it is whole. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const busPorts = await Promise.all(Array.from({ length: NODES }, findFreePort))
  const nodes = await Promise.all(
    busPorts.map((port) =>
      startRedisServer(['--cluster-enabled', 'yes', '--cluster-port', String(port), '--cluster-node-timeout', '2000']),
    ),
  )
  const ask = async <T>({ port }: RedisServer, question: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis({ port, host: '127.0.0.1' })
    try {
      return await question(client)
    } finally {
      client.disconnect()
    }
  }
  const untilWhole = async () => {
    for (;;) {
      const views = await Promise.all(nodes.map((node) => ask(node, (client) => client.cluster('INFO'))))
      if (views.every(isWhole)) return
      await delay(50)
    }
  }
  for (const [at, node] of nodes.entries()) {
    const [from, to] = [at, at + 1].map((part) => Math.floor((SLOTS * part) / NODES))
    await ask(node, (client) => client.cluster('ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1))
  }
  const [first, ...others] = nodes
  for (const [at, { port }] of others.entries()) {
    if (first !== undefined)
      await ask(first, (client) => client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPorts[at + 1] ?? 0))
  }
  await untilWhole()
  return {
    nodes,
    url: () => nodes.map(({ url }) => url).join(','),
    untilWhole,
    async remove() {
      await Promise.all(nodes.map((node) => node.remove()))
    },
  }
}

function isWhole(info: unknown): boolean {
  const text = String(info)
  return [
    'cluster_state:ok',
    `cluster_slots_ok:${SLOTS}`,
    `cluster_known_nodes:${NODES}`,
    `cluster_size:${NODES}`,
  ].every((line) => text.includes(line))
}
