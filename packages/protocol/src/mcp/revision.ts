/** Revisions of the handshake era, newest first. 2025-03-26 is not among them: it demands batches. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18'] as const

/** Revisions in which every request carries its own metadata, newest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const

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
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const

/** Whether `revision` is one of the handshake era that is spoken here. */
export function isLegacyRevision(revision: unknown): revision is (typeof LEGACY_REVISIONS)[number] {
  return LEGACY_REVISIONS.some((known) => known === revision)
}

/** Whether `revision` is one whose requests carry their own metadata, and is spoken here. */
export function isModernRevision(revision: unknown): revision is (typeof MODERN_REVISIONS)[number] {
  return MODERN_REVISIONS.some((known) => known === revision)
}
