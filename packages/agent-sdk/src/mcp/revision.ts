/** Revisions of the handshake era, newest first. 2025-03-26 is not among them: it demands batches. */
export const LEGACY_REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18']

/** Revisions in which every request carries its own metadata, newest first. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28']

/**
 * The two ways of speaking MCP. Legacy opens with `initialize`, and a connection that breaks means nothing. Modern has no opening,
 * every result says its `resultType`, and over HTTP a client that goes away cancels.
 */
export type Era = 'legacy' | 'modern'

/** Names of `_meta` that the protocol reserves. */
export const META_KEYS = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const
