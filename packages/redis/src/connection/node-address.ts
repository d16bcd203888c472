import { createConnection } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector } from 'ioredis'

/** Where a node of a cluster listens. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** How the nodes of a cluster are reached: the same credentials for all, those of the first URL. */
export interface ClusterAddress {
  readonly nodes: readonly NodeAddress[]
  readonly access: { readonly username?: string; readonly password?: string; readonly tls?: object }
}

const DEFAULT_PORT = 6379

/** Reads the URLs of a cluster's nodes. */
export function parseClusterUrls(urls: readonly string[]): ClusterAddress {
  const parsed = urls.map((url) => new URL(url.trim()))
  const [first] = parsed
  const username = decodeURIComponent(first?.username ?? '')
  const password = decodeURIComponent(first?.password ?? '')
  return {
    // An IPv6 address stands in brackets in a URL, and without them everywhere else.
    nodes: parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? DEFAULT_PORT : Number(port),
    })),
    access: {
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      ...(first?.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  }
}

/**
 * A connector of ioredis that goes to the next node with each connection. Messages of pub/sub reach every node of a cluster,
 * so any will do, and one that is gone must not hold up the subscriptions. (The subscriber within ioredis's Cluster changes
 * nodes too, but tells nobody, so that what was published meanwhile would be lost without a word.)
 */
export function rotateNodes(
  { nodes, access }: ClusterAddress,
  disconnectTimeoutMs: number,
): new (
  options: unknown,
) => AbstractConnector {
  let turn = 0
  return class NodeRotation extends AbstractConnector {
    constructor() {
      super(disconnectTimeoutMs)
    }

    override connect(): ReturnType<AbstractConnector['connect']> {
      this.connecting = true
      const { host, port } = nodes[turn++ % nodes.length] ?? { host: 'localhost', port: DEFAULT_PORT }
      const stream = access.tls === undefined ? createConnection({ host, port }) : connectTls({ host, port })
      stream.once('error', (error) => {
        this.firstError = error
      })
      this.stream = stream
      return Promise.resolve(stream)
    }
  }
}
