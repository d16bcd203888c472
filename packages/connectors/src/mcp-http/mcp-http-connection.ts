import { setTimeout as pause } from 'node:timers/promises'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { AgentConnection } from '@synchub/core'
import { HttpEndpoint } from '../http/http-endpoint.js'
import { allTaken } from '../mcp/kept-request.js'
import { McpConnection } from '../mcp/mcp-connection.js'
import { openSession } from '../mcp/mcp-session.js'
import { ObservedTransport } from '../mcp/observed-transport.js'
import { createAgentFetch } from './agent-fetch.js'

/** Longest time that the end of a session may take to be told. */
const GOODBYE_TIMEOUT_MS = 1_000

/** A stream that was lost is asked for again: where the server keeps its events, nothing is missed. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 3,
}

/** How an MCP server over Streamable HTTP is reached, and what is taken from it. */
export interface McpHttpConnectionOptions {
  /** The URL of its MCP endpoint, http or https. */
  readonly url: string
  /** Sent as `Authorization: Bearer <secret>`. */
  readonly secret?: string
  /** Longest wait for a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number
  /** Longest time until the server has said who it is, in milliseconds. Default 10,000. */
  readonly startTimeoutMs?: number
  /** Largest answer, and largest event of a stream, in bytes. Default 32 MiB. */
  readonly maxResultBytes?: number
  /** Told of what is neither an outcome nor an error, in words, for the log. */
  readonly notice?: (reason: string) => void
  /** Told when the server says that its lists have changed; absent where nobody wants to know. */
  readonly onListChange?: () => void
}

/**
 * Connects to an MCP server of either era over Streamable HTTP. Nothing is sent yet.
 * @throws Error when the URL is none of HTTP
 */
export function createMcpHttpConnection(options: McpHttpConnectionOptions): AgentConnection {
  const { url, connectTimeoutMs = 5_000, startTimeoutMs = 10_000, maxResultBytes = 32 * 1024 ** 2 } = options
  const notice = options.notice ?? (() => undefined)
  const endpoint = new HttpEndpoint({ ...options, connectTimeoutMs })
  const open = (signal: AbortSignal) =>
    openSession({
      connect(kept) {
        const fetch = createAgentFetch(endpoint, maxResultBytes, () => allTaken(kept))
        return new ObservedTransport(new PoliteTransport(new URL(url), fetch), kept)
      },
      era: 'auto',
      probeTimeoutMs: startTimeoutMs,
      startTimeoutMs,
      signal,
      notice,
      onListChange: options.onListChange,
    })
  return new McpConnection(open, { notice, release: () => endpoint.close() })
}

/** Tells a server that keeps sessions when one is over. */
class PoliteTransport extends StreamableHTTPClientTransport {
  constructor(url: URL, fetch: ReturnType<typeof createAgentFetch>) {
    super(url, { fetch, reconnectionOptions: RECONNECTION })
  }

  override async close(): Promise<void> {
    const goodbye = this.terminateSession().catch((error: unknown) => this.onerror?.(error as Error))
    await Promise.race([goodbye, pause(GOODBYE_TIMEOUT_MS, undefined, { ref: false })])
    await super.close()
  }
}
